import { describe, expect, test } from "vitest";
import { appended, logLimit, whyEmpty } from "./log";

const entry = (n: number) => ({ at: `2026-03-01T12:00:${String(n % 60).padStart(2, "0")}Z`, event: "start", target: "", text: `entry ${n}` });

describe("the log", () => {
  test("gets entries at its end", () => expect(appended([entry(1)], [entry(2)])).toEqual([entry(1), entry(2)]));
  test("has an entry that comes again once", () => expect(appended([entry(1), entry(2)], [entry(1), entry(2), entry(3), entry(3)])).toEqual([entry(1), entry(2), entry(3)]));
  test("keeps the newest entries", () => {
    const many = Array.from({ length: logLimit }, (_, i) => entry(i));
    const log = appended(many, [entry(logLimit)]);
    expect(log).toHaveLength(logLimit);
    expect(log[logLimit - 1]).toEqual(entry(logLimit));
  });
});

test.each([
  ["an entry that the filter hides", [entry(1)], "running", "No entry matches the filter."],
  ["no entry yet", [], "running", "The log is empty."],
  ["no entry after its end", [], "ended", "The campaign is over. The history does not have its log."],
  ["no entry after a kill", [], "killed", "The campaign is over. The history does not have its log."],
] as const)("a campaign with %s says why there is none", (_, log, state, want) => expect(whyEmpty(log, state)).toBe(want));
