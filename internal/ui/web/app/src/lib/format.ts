// Numbers, times and sizes as text. Each function is pure; an absent value is a dash.

export const absent = "–";

const grouped = new Intl.NumberFormat("en-US"); // toLocaleString would make one for each number

/** exact returns a whole number with separators of thousands. */
export function exact(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return absent;
  return grouped.format(Math.round(n));
}

/** count returns a number that takes at most seven characters: exact below 100,000, then with three digits and a unit. */
export function count(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return absent;
  if (Math.abs(n) < 99_999.5) return exact(n);
  return short(n);
}

/** rate returns a number of things per second. */
export function rate(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return absent;
  if (n > 0 && n < 9.95) return n.toFixed(1);
  return Math.abs(n) < 9_999.5 ? exact(n) : short(n);
}

function short(n: number): string {
  for (const [unit, name] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]] as const) {
    if (Math.abs(n) >= unit * 0.9995) return `${Number((n / unit).toPrecision(3))}${name}`;
  }
  return exact(n);
}

/** bytes returns a size. */
export function bytes(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return absent;
  if (n < 1024) return `${n} B`;
  if (n < 1024 * 1024) return `${(n / 1024).toFixed(1)} KiB`;
  return `${(n / 1024 / 1024).toFixed(1)} MiB`;
}

/** percent returns part of whole, rounded down so that only a complete whole is 100 %. */
export function percent(part: number | null | undefined, whole: number | null | undefined): string {
  if (!part || !whole) return whole ? "0 %" : absent;
  return `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`;
}

/** duration returns seconds with the two largest units. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return absent;
  if (seconds === 0) return "0 s";
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 0.9995) return `${(seconds * 1000).toFixed(0)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return two(Math.floor(s / 60), "min", s % 60, "s");
  const m = Math.round(seconds / 60);
  if (m < 24 * 60) return two(Math.floor(m / 60), "h", m % 60, "min");
  const h = Math.round(seconds / 3600);
  return two(Math.floor(h / 24), "d", h % 24, "h");
}

function two(a: number, unit: string, b: number, small: string): string {
  return b === 0 ? `${a} ${unit}` : `${a} ${unit} ${b} ${small}`;
}

/** tick returns seconds as the label of an axis: 0:30, 12:05, 3:00:00, 2d 04h. */
export function tick(seconds: number): string {
  const s = Math.round(seconds);
  const pad = (n: number) => String(n).padStart(2, "0");
  if (s >= 48 * 3600) return `${Math.floor(s / 86400)}d ${pad(Math.floor((s % 86400) / 3600))}h`;
  const h = Math.floor(s / 3600);
  const rest = `${h > 0 ? pad(Math.floor((s % 3600) / 60)) : Math.floor(s / 60)}:${pad(s % 60)}`;
  return h > 0 ? `${h}:${rest}` : rest;
}

/** ago returns how long before now a time was. */
export function ago(at: string | null | undefined, now: number): string {
  const t = at ? Date.parse(at) : NaN;
  if (Number.isNaN(t)) return absent;
  const seconds = (now - t) / 1000;
  if (seconds < -5) return `in ${coarse(-seconds)}`;
  if (seconds < 5) return "just now";
  return `${coarse(seconds)} ago`;
}

function coarse(s: number): string {
  if (s < 60) return `${Math.floor(s)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 48 * 3600) return `${Math.floor(s / 3600)} h`;
  return `${Math.floor(s / 86400)} d`;
}

/** absolute returns a time in the zone of the browser, with its offset. */
export function absolute(at: string | null | undefined): string {
  const t = at ? new Date(at) : null;
  if (!t || Number.isNaN(t.getTime())) return "";
  const pad = (n: number) => String(n).padStart(2, "0");
  const zone = -t.getTimezoneOffset();
  const offset = `${zone < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(zone) / 60))}:${pad(Math.abs(zone) % 60)}`;
  return `${t.getFullYear()}-${pad(t.getMonth() + 1)}-${pad(t.getDate())} ${clock(at)} ${offset}`;
}

/** clock returns the time of day in the zone of the browser. */
export function clock(at: string | null | undefined): string {
  const t = at ? new Date(at) : null;
  if (!t || Number.isNaN(t.getTime())) return absent;
  const pad = (n: number) => String(n).padStart(2, "0");
  return `${pad(t.getHours())}:${pad(t.getMinutes())}:${pad(t.getSeconds())}`;
}

/** plural returns a count with its noun. */
export function plural(n: number, noun: string, many = `${noun}s`): string {
  return `${exact(n)} ${n === 1 ? noun : many}`;
}

/** difference is null if one of the numbers is not known. */
export function difference(from: number | null | undefined, to: number | null | undefined): number | null {
  return typeof from === "number" && typeof to === "number" ? to - from : null;
}

/** signed returns a difference with its sign. */
export function signed(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return absent;
  if (n === 0) return "0";
  return `${n > 0 ? "+" : "−"}${count(Math.abs(n))}`;
}

/** packageName returns the import path without that of the module: "./expr" for example.com/m/expr. */
export function packageName(path: string, module: string | undefined): string {
  if (!module) return path;
  if (path === module) return ".";
  return path.startsWith(module + "/") ? "." + path.slice(module.length) : path;
}
