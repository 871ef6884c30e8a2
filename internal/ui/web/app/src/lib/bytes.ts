// The bytes of an argument: as rows of a hex dump, and as text, both with marks.

export type Mark = readonly [from: number, to: number];

/** fromHex reads pairs of hex digits; spaces between them do not matter. It stops at the first other character. */
export function fromHex(hex: string): Uint8Array {
  const digits = hex.replace(/\s+/g, "");
  const clean = /^[0-9a-fA-F]*/.exec(digits)?.[0] ?? "";
  const out = new Uint8Array(clean.length >> 1);
  for (let i = 0; i < out.length; i++) out[i] = parseInt(clean.slice(2 * i, 2 * i + 2), 16);
  return out;
}

export interface Run {
  from: number;
  to: number;
  marked: boolean;
}

/** runs splits the bytes from up to to into runs that are marked or not. Marks may be in any order and overlap. */
export function runs(from: number, to: number, marks: readonly Mark[]): Run[] {
  const inside = marks
    .map(([a, b]): [number, number] => [Math.max(a, from), Math.min(b, to)])
    .filter(([a, b]) => a < b)
    .sort((x, y) => x[0] - y[0]);
  const list: Run[] = [];
  let at = from;
  for (const [a, b] of inside) {
    const start = Math.max(a, at);
    if (start >= b) continue;
    if (start > at) list.push({ from: at, to: start, marked: false });
    const last = list[list.length - 1];
    if (last?.marked && last.to === start) last.to = b;
    else list.push({ from: start, to: b, marked: true });
    at = b;
  }
  if (at < to) list.push({ from: at, to, marked: false });
  return list;
}

/** wholeCharacters extends marks so that they do not split a character of UTF-8. */
export function wholeCharacters(data: Uint8Array, marks: readonly Mark[]): Mark[] {
  const continues = (i: number) => i > 0 && i < data.length && ((data[i] ?? 0) & 0xc0) === 0x80;
  return marks.map(([a, b]): Mark => {
    let from = a;
    let to = b;
    for (let n = 0; n < 3 && continues(from); n++) from--;
    for (let n = 0; n < 3 && continues(to); n++) to++;
    return [from, to];
  });
}

/** hexOf returns bytes as two digits each. */
export function hexOf(data: Uint8Array): string {
  return Array.from(data, (b) => b.toString(16).padStart(2, "0")).join(" ");
}

/** asciiOf returns printable ASCII as it is and a dot for each other byte. */
export function asciiOf(data: Uint8Array): string {
  return Array.from(data, (b) => (b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : "·")).join("");
}
