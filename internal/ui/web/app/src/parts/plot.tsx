// Plots of a target over time. All plots of a page have one range, which a drag or the buttons change, and one cursor.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { absent, duration, tick } from "../lib/format";
import { panned, shortest, zoomed, type Range } from "../lib/range";

export interface Series {
  id: string;
  title: string;
  values: (number | null)[];
  text: (n: number | null | undefined) => string;
  steps?: boolean; // the value holds until the next point
  zero?: boolean; // the axis begins at 0
}

/** color returns the current value of a custom property of the theme. */
function color(name: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const c = getComputedStyle(probe).color;
  probe.remove();
  return c;
}

/** useTheme returns a value that changes when the colors change. */
function useTheme(): string {
  const media = useMemo(() => matchMedia("(prefers-color-scheme: dark)"), []);
  const name = () => `${document.documentElement.dataset["theme"] ?? ""}/${media.matches}`;
  const [theme, set] = useState(name);
  useEffect(() => {
    const f = () => set(name());
    const observer = new MutationObserver(f);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    media.addEventListener("change", f);
    return () => {
      observer.disconnect();
      media.removeEventListener("change", f);
    };
  }, []);
  return theme;
}

const font = "11px system-ui, sans-serif";

function Plot({ x, series, range, onRange }: { x: number[]; series: Series; range: Range | null; onRange: (r: Range | null) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLOutputElement>(null);
  const plot = useRef<uPlot | null>(null);
  const theme = useTheme();
  const current = useRef({ x, series, range, onRange });
  current.current = { x, series, range, onRange };
  const last = () => {
    const { x, series } = current.current;
    for (let i = x.length - 1; i >= 0; i--) if (series.values[i] !== null) return series.text(series.values[i]);
    return absent;
  };

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const [line, fill, axis, grid] = [color("--accent"), color("--accent-soft"), color("--muted"), color("--line")];
    const u = new uPlot(
      {
        width: Math.max(element.clientWidth, 120),
        height: 170,
        padding: [10, 8, 0, 0],
        legend: { show: false },
        cursor: { sync: { key: "target" }, drag: { x: true, y: false, setScale: false, dist: 6 }, points: { size: 7 } },
        scales: {
          x: { time: false, range: () => rangeOf(current.current.x, current.current.range) },
          y: { range: (_, low, high) => bounds(low, high, series.zero ?? false) },
        },
        axes: [
          { stroke: axis, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font, size: 26, space: 70, values: (_, ticks) => ticks.map(tick), incrs: increments },
          { stroke: axis, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font, size: 52, space: 34, values: (_, ticks) => ticks.map((n) => (Number.isInteger(n) ? series.text(n) : "")) },
        ],
        series: [{}, { stroke: line, fill: (u) => (u.scales["y"]?.min === 0 ? fill : "transparent"), width: 1.5, points: { show: false }, ...(series.steps && uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}) }],
        hooks: {
          setSelect: [
            (u) => {
              if (u.select.width < 4) return;
              current.current.onRange([u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")]);
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
          setCursor: [
            (u) => {
              const out = readout.current;
              if (!out) return;
              const i = u.cursor.idx;
              const { x, series } = current.current;
              out.textContent = i === null || i === undefined ? last() : `${series.text(series.values[i])} at ${tick(x[i] ?? 0)}`;
            },
          ],
        },
      },
      [x, series.values],
      element,
    );
    plot.current = u;
    const reset = () => current.current.onRange(null);
    element.addEventListener("dblclick", reset);
    const sizes = new ResizeObserver(() => u.setSize({ width: Math.max(element.clientWidth, 120), height: 170 }));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      element.removeEventListener("dblclick", reset);
      u.destroy();
      plot.current = null;
    };
  }, [theme, series.id]);

  useEffect(() => {
    plot.current?.setData([x, series.values], true);
    if (readout.current && plot.current?.cursor.idx == null) readout.current.textContent = last();
  }, [x, series.values, range]);

  return (
    <figure class="plot" data-testid={`plot-${series.id}`}>
      <figcaption>
        {series.title} <output ref={readout} />
      </figcaption>
      <div ref={box} class="canvas" aria-hidden="true" />
    </figure>
  );
}

/** The steps of the axis of time in seconds. */
const increments = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];

function rangeOf(x: number[], range: Range | null): [number, number] {
  if (range) return [range[0], range[1]];
  const from = x[0] ?? 0;
  const to = x[x.length - 1] ?? 1;
  return from < to ? [from, to] : [from, from + 1];
}

/** bounds returns the range of the vertical axis. It begins at 0 unless the changes would be too small to see. */
function bounds(low: number | null, high: number | null, zero: boolean): [number, number] {
  const b = high ?? 1;
  const a = zero || (low ?? 0) < b / 2 ? 0 : (low ?? 0);
  const margin = Math.max((b - a) * 0.08, b === a ? 1 : 0);
  return [a === 0 ? 0 : Math.max(0, a - margin), b + margin];
}

/** Plots draws several series over the same time, with buttons for the range and the numbers as a table. */
export function Plots({ x, list }: { x: number[]; list: Series[] }) {
  const [range, setRange] = useState<Range | null>(null);
  const whole: Range = rangeOf(x, null);
  const now = range ?? whole;
  const change = (r: Range) => setRange(r[0] <= whole[0] && r[1] >= whole[1] ? null : r);
  const step = (to: "in" | "out" | "left" | "right") =>
    change(to === "in" ? zoomed(now, 0.5, whole) : to === "out" ? zoomed(now, 2, whole) : panned(now, to === "left" ? -0.5 : 0.5, whole));
  const every = Math.max(1, Math.ceil(x.length / 40));
  const rows = x.map((_, i) => i).filter((i) => (x.length - 1 - i) % every === 0 && (x[i] ?? 0) >= now[0] && (x[i] ?? 0) <= now[1]);
  return (
    <div class="plots">
      <div class="tools" role="group" aria-label="Range of the plots" data-testid="zoom">
        <button type="button" onClick={() => step("in")} disabled={now[1] - now[0] <= shortest} aria-label="Zoom in" data-testid="zoom-in">
          +
        </button>
        <button type="button" onClick={() => step("out")} disabled={!range} aria-label="Zoom out" data-testid="zoom-out">
          −
        </button>
        <button type="button" onClick={() => step("left")} disabled={!range || now[0] <= whole[0]} aria-label="Earlier" data-testid="zoom-left">
          ←
        </button>
        <button type="button" onClick={() => step("right")} disabled={!range || now[1] >= whole[1]} aria-label="Later" data-testid="zoom-right">
          →
        </button>
        <button type="button" onClick={() => setRange(null)} disabled={!range} data-testid="zoom-reset">
          Whole time
        </button>
        <span class="muted" role="status" data-testid="zoom-range" data-zoomed={range ? "true" : "false"}>
          {range ? `${tick(now[0])} to ${tick(now[1])}` : `${duration(whole[1])}; drag over a plot to zoom`}
        </span>
      </div>
      <div class="grid">
        {list.map((s) => (
          <Plot key={s.id} x={x} series={s} range={range} onRange={(r) => (r ? change(r) : setRange(null))} />
        ))}
      </div>
      <details class="numbers">
        <summary>The numbers as a table</summary>
        <div class="scroll">
          <table>
            <caption class="sr-only">The numbers of the plots over time</caption>
            <thead>
              <tr>
                <th scope="col" class="number">
                  Time
                </th>
                {list.map((s) => (
                  <th scope="col" class="number">
                    {s.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((i) => (
                <tr>
                  <th scope="row" class="number">
                    {tick(x[i] ?? 0)}
                  </th>
                  {list.map((s) => (
                    <td class="number">{s.text(s.values[i])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
