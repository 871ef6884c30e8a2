import { expect, test } from "vitest";
import type { Campaign, CampaignDetail, CampaignPage, LogEntry, TargetRow } from "../api";
import { feed } from "./feed";
import { logLimit } from "./log";

const targets = 1000;
const lines = 20; // of the log in a second

const campaign: Campaign = {
  id: 1, module: "example.com/m", packages: "./...", args: "", go: "go1.26.1", commit: "", started: "", ended: null, state: "running",
  seconds: 0, targets, execs: 0, edges: 0, entries: 0, findings: 0, statements: 0, covered: 0,
};

function row(second: number, n: number): TargetRow {
  return {
    key: `${n}`, package: `example.com/m/p${n}`, target: `Fuzz${n}`, state: "fuzzing", result: "clean", begun: true, done: false, instrumented: true, warming_up: false,
    warm_done: 1, warm_total: 1, minimizing: false, workers: 1, execs: second, edges: second, buckets: second, entries: second, new_entries: 0, rerun_entries: 0,
    repeated_entries: 0, turns: 1, seconds: second, share: 0, rate: 1, seconds_since_edge: 0, bugs: 0, flaky: 0, known: 0,
  };
}

function state(second: number, rows = Array.from({ length: targets }, (_, n) => row(second, n))): CampaignDetail {
  return { campaign, at: `${second}`, paused: false, pausing: false, totals: null, targets: rows, workers: [], builds: [], findings: [], end: null };
}

function entry(second: number, n: number): LogEntry {
  return { at: `${second}`, event: "warning", target: `Fuzz${n}`, text: `careful with ${second}.${n}` };
}

/** page is a page without targets, whose feed draws when draw is called. */
function page() {
  let current: CampaignPage | null = { ...state(0, []), log: [] };
  let drawings: (() => void)[] = [];
  const f = feed(
    (change) => void (current = change(current)),
    (draw) => void drawings.push(draw),
  );
  return {
    f,
    page: () => current as CampaignPage,
    draw: () => {
      const all = drawings;
      drawings = [];
      for (const d of all) d();
      return all.length;
    },
  };
}

test("an hour of events leaves a page with the newest state and the newest lines of the log", () => {
  const p = page();
  const sizes: number[] = [];
  for (let s = 0; s < 3600; s++) {
    for (let n = 0; n < lines; n++) p.f.log(entry(s, n));
    p.f.state(s % 100 === 0 || s === 3599 ? state(s) : state(s, p.page().targets));
    expect(p.draw()).toBe(1);
    if (s === 1800 || s === 3599) sizes.push(JSON.stringify(p.page()).length);
  }
  expect(p.page().log.length).toBe(logLimit);
  expect(p.page().log.at(-1)).toEqual(entry(3599, lines - 1));
  expect(p.page().targets.length).toBe(targets);
  expect(p.page().targets[0]?.execs).toBe(3599);
  const [middle = 0, end = 0] = sizes;
  expect(end).toBeLessThan(middle * 1.1);
});

test("a page that is not drawn for an hour keeps the newest lines of the log only", () => {
  const p = page();
  for (let s = 0; s < 3600; s++) for (let n = 0; n < lines; n++) p.f.log(entry(s, n));
  expect(p.page().log.length).toBe(0);
  expect(p.draw()).toBe(1);
  expect(p.page().log.length).toBe(logLimit);
  expect(p.page().log.at(-1)).toEqual(entry(3599, lines - 1));
});

test("events before the page is fetched change nothing", () => {
  let current: CampaignPage | null = null;
  const f = feed(
    (change) => void (current = change(current)),
    (draw) => draw(),
  );
  f.log(entry(1, 1));
  f.state(state(1));
  expect(current).toBe(null);
});
