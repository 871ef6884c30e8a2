import { describe, expect, test } from "vitest";
import { cut, pieces, visible } from "./text";

describe("hostile text", () => {
  test.each([
    ["plain text\twith\nlines", "plain text\twith\nlines"],
    ["\u001b[31mred", "\\x1b[31mred"],
    ["a\rb", "a\\rb"],
    ["a\u202Eb\u2066c", "a\\u202eb\\u2066c"],
    ["zero\u200Bwidth\uFEFF", "zero\\u200bwidth\\ufeff"],
    ["\u0000\u007f\u0085", "\\x00\\x7f\\x85"],
    ["lone \ud800 half", "lone \\ud800 half"],
    ["half \udc00", "half \\udc00"],
    ["😀 שלום é", "😀 שלום é"],
    ["", ""],
  ])("%j is shown as %j", (text, want) => expect(visible(text)).toBe(want));
  test("what is no plain text is marked as such", () => expect(pieces("a\u0007b")).toEqual([{ text: "a", control: false }, { text: "\\x07", control: true }, { text: "b", control: false }]));
});

describe("long text", () => {
  test("is cut and says so", () => expect(cut("abcdef", 3)).toBe("abc…"));
  test("keeps characters whole", () => expect(cut("a😀b", 2)).toBe("a…"));
  test("a short text is as it was", () => expect(cut("abc", 3)).toBe("abc"));
});
