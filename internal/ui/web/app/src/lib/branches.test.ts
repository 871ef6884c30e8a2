import { describe, expect, test } from "vitest";
import type { SourceLine } from "../api";
import { left, next, runs } from "./branches";

const lines: SourceLine[] = ["uncovered", "uncovered", "", "covered", "uncovered"].map((state, i) => ({ n: i + 1, text: "", state: state as SourceLine["state"], count: 0, entry: null }));

describe("runs of lines", () => {
  test("begin with the first of neighbours", () => expect(runs(lines, (l) => l.state === "uncovered")).toEqual([1, 5]));
  test("do not exist if no line is chosen", () => expect(runs(lines, () => false)).toEqual([]));
});

describe("the next number", () => {
  test.each([
    [0, 1, 2],
    [2, 1, 7],
    [9, 1, 2],
    [9, -1, 7],
    [7, -1, 2],
    [2, -1, 9],
  ] as const)("from %d with step %d is %d", (at, step, want) => expect(next([2, 7, 9], at, step)).toBe(want));
  test("does not exist without numbers", () => expect(next([], 3, 1)).toBeUndefined());
});

describe("files that were changed", () => {
  test("one", () => expect(left(["a.go"], 1)).toBe("1 file was changed after its statements were counted, and its branches are not shown: a.go."));
  test("more than the sentence names", () => expect(left(["a", "b", "c", "d", "e", "f"], 6)).toContain("a, b, c, d, e and 1 more."));
  test("many", () => expect(left(["a.go", "b.go"], 5)).toBe("5 files were changed after their statements were counted, and their branches are not shown: a.go, b.go and 3 more."));
});
