import { describe, expect, test } from "vitest";
import { matches, orderText, page, parseOrder, sorted } from "./sort";

describe("order", () => {
  test("numbers in names count as numbers", () => expect(sorted(["F10", "f2", "F1"], (s) => s, false)).toEqual(["F1", "f2", "F10"]));
  test("downwards is the reverse, but equal rows keep their order", () => {
    const rows = [{ n: 1, id: "a" }, { n: 2, id: "b" }, { n: 1, id: "c" }];
    expect(sorted(rows, (r) => r.n, true).map((r) => r.id)).toEqual(["b", "a", "c"]);
  });
  test.each([true, false])("absent values are last (down: %s)", (down) => {
    expect(sorted([null, 1, undefined, NaN, 2], (n) => n, down).slice(2)).toEqual([null, undefined, NaN]);
  });
  test("the rows that it gets stay as they are", () => {
    const rows = [2, 1];
    sorted(rows, (n) => n, false);
    expect(rows).toEqual([2, 1]);
  });
  test.each([["-edges", { by: "edges", down: true }], ["name", { by: "name", down: false }]])("%s round-trips", (text, order) => {
    expect(parseOrder(text, { by: "x", down: false })).toEqual(order);
    expect(orderText(order)).toBe(text);
  });
  test("no order is the one of the table", () => expect(parseOrder(null, { by: "x", down: true })).toEqual({ by: "x", down: true }));
});

describe("filter", () => {
  test.each([
    ["", true],
    ["fuzz", true],
    ["EVAL expr", true],
    ["expr other", false],
    ["fuzz -eval", false],
    ["fuzz -other", true],
    ["-", true],
    ["(", false],
  ])("%j matches FuzzEval ./expr: %s", (filter, want) => expect(matches("FuzzEval ./expr", filter)).toBe(want));
});

describe("pages", () => {
  const rows = Array.from({ length: 250 }, (_, i) => i);
  test("the last page has the rest", () => expect(page(rows, 2, 100)).toMatchObject({ number: 2, pages: 3, rows: rows.slice(200) }));
  test("a page beyond the end is the last one", () => expect(page(rows, 9, 100).number).toBe(2));
  test("no rows are one empty page", () => expect(page([], 0, 100)).toEqual({ rows: [], number: 0, pages: 1 }));
});
