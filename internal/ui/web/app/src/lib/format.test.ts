import { describe, expect, test } from "vitest";
import { absolute, ago, bytes, count, difference, duration, exact, packageName, percent, plural, rate, signed, tick } from "./format";

describe("numbers", () => {
  test.each([
    [0, "0"],
    [999, "999"],
    [99_999, "99,999"],
    [100_000, "100k"],
    [1_234_567, "1.23M"],
    [999_999, "1M"],
    [12_345_678_901, "12.3G"],
    [2 ** 60, "1150000T"],
    [-5, "-5"],
    [null, "–"],
    [undefined, "–"],
    [NaN, "–"],
  ])("a count of %s is %s", (n, want) => expect(count(n)).toBe(want));
  test.each([[0, "0"], [0.25, "0.3"], [9.94, "9.9"], [9.96, "10"], [9_999, "9,999"], [12_345, "12.3k"], [null, "–"]])("a rate of %s is %s", (n, want) => expect(rate(n)).toBe(want));
  test("an exact number has separators", () => expect(exact(1234567.4)).toBe("1,234,567"));
  test.each([[0, "0 B"], [1023, "1023 B"], [1024, "1.0 KiB"], [5 << 20, "5.0 MiB"]])("%s bytes are %s", (n, want) => expect(bytes(n)).toBe(want));
  test("only a complete whole is 100 %", () => {
    expect(percent(9999, 10000)).toBe("99.9 %");
    expect(percent(10, 10)).toBe("100.0 %");
    expect(percent(0, 10)).toBe("0 %");
    expect(percent(3, 0)).toBe("–");
  });
  test.each([[5, "+5"], [-5, "−5"], [0, "0"], [null, "–"]])("a difference of %s is %s", (n, want) => expect(signed(n)).toBe(want));
  test.each([[4, 6, 2], [4, 0, -4], [null, 4, null], [4, undefined, null]])("from %s to %s is a difference of %s", (from, to, want) => expect(difference(from, to)).toBe(want));
  test("a noun has its number", () => {
    expect(plural(1, "entry", "entries")).toBe("1 entry");
    expect(plural(0, "time")).toBe("0 times");
  });
});

describe("times", () => {
  test.each([
    [0, "0 s"],
    [0.0000004, "0 µs"],
    [0.412, "412 ms"],
    [0.9997, "1.0 s"],
    [9.96, "10 s"],
    [59.6, "1 min"],
    [75, "1 min 15 s"],
    [3599.6, "1 h"],
    [7230, "2 h 1 min"],
    [86_399, "1 d"],
    [3 * 86_400 + 7200, "3 d 2 h"],
    [-1, "–"],
    [Infinity, "–"],
  ])("%s seconds are %s", (s, want) => expect(duration(s)).toBe(want));
  test.each([[0, "0:00"], [65, "1:05"], [3600, "1:00:00"], [200_000, "2d 07h"]])("%s seconds on an axis are %s", (s, want) => expect(tick(s)).toBe(want));
  const now = Date.parse("2026-03-01T12:00:00Z");
  test.each([
    ["2026-03-01T11:59:58Z", "just now"],
    ["2026-03-01T11:59:30Z", "30 s ago"],
    ["2026-03-01T11:00:00Z", "1 h ago"],
    ["2026-02-20T12:00:00Z", "9 d ago"],
    ["2026-03-01T12:10:00Z", "in 10 min"],
    ["not a time", "–"],
    [null, "–"],
  ])("%s is %s", (at, want) => expect(ago(at, now)).toBe(want));
  test("an absolute time has its offset", () => expect(absolute("2026-03-01T12:00:00Z")).toMatch(/^2026-0[23]-\d\d \d\d:\d\d:00 [+-]\d\d:\d\d$/));
  test("no time is no text", () => expect(absolute("")).toBe(""));
});

describe("packages", () => {
  test.each([
    ["example.com/m", "."],
    ["example.com/m/a/b", "./a/b"],
    ["example.com/more", "example.com/more"],
  ])("%s of example.com/m is %s", (path, want) => expect(packageName(path, "example.com/m")).toBe(want));
});
