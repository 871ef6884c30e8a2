import { describe, expect, test } from "vitest";
import { asciiOf, fromHex, hexOf, literalParts, marksOf, matterText, runs, wholeCharacters, type Mark } from "./bytes";

describe("hex", () => {
  test.each([
    ["00ff 41", [0, 255, 65]],
    ["abc", [0xab]],
    ["zz", []],
    ["", []],
  ])("%j is read as bytes", (hex, want) => expect([...fromHex(hex)]).toEqual(want));
  test("bytes are written as two digits", () => expect(hexOf(Uint8Array.of(0, 255))).toBe("00 ff"));
  test("each byte that is not printable ASCII is a dot", () => expect(asciiOf(Uint8Array.of(10, 65, 200))).toBe("·A·"));
});

const short: Record<Mark, string> = { "": "-", matters: "+", untested: "?" };
const shape = (marks: readonly Mark[]) => marks.map((m) => short[m]).join("");
const marksIn = (text: string) => [...text].map((c): Mark => (c === "+" ? "matters" : c === "?" ? "untested" : ""));

describe("the marks of bytes", () => {
  test.each([
    [{}, "-----"],
    [{ bytes: [[1, 3]] }, "-++--"],
    [{ bytes: [[0, 1], [4, 5]], untested: [[2, 4]] }, "+-??+"],
    [{ bytes: [[-3, 1], [4, 90], [3, 2]] }, "+---+"],
  ] as [{ bytes?: [number, number][]; untested?: [number, number][] }, string][])("of five with %j", (m, want) => expect(shape(marksOf(5, m))).toBe(want));

  test("are the same for all bytes of a character", () => {
    const data = new TextEncoder().encode("a€b");
    expect(shape(wholeCharacters(data, marksIn("--+--")))).toBe("-+++-");
    expect(shape(wholeCharacters(data, marksIn("?-?-+")))).toBe("????+");
    expect(shape(wholeCharacters(Uint8Array.of(0x80, 0xff, 0x80, 0x41), marksIn("+---")))).toBe("+---");
  });

  test("are split into runs", () => {
    const text = (list: ReturnType<typeof runs>) => list.map((r) => short[r.mark] + r.from + ":" + r.to).join(" ");
    expect(text(runs(marksIn("++-?")))).toBe("+0:2 -2:3 ?3:4");
    expect(text(runs(marksIn("++-?"), 1, 3))).toBe("+1:2 -2:3");
    expect(text(runs([]))).toBe("");
  });
});

describe("the parts of a Go literal", () => {
  const text = (literal: string, marks: string) => literalParts(literal, marksIn(marks)).map((p) => short[p.mark] + p.text).join(" ");
  test.each([
    ['string("0%0")', "-++", '-string("0 +%0 -")'],
    ['[]byte("RLE10\\x0000")', "++++++-+", '-[]byte(" +RLE10\\x00 -0 +0 -")'],
    ['string("\\"\\\\\\n€\\u200b\\U000e0001!")', "+-+--?---+----", '-string(" +\\" -\\\\ +\\n ?€ -\\u200b +\\U000e0001 -!")'],
    ['string("")', "", '-string("")'],
    ['string("abc")', "-+", '-string("abc")'],
    ["int(17)", "", "-int(17)"],
  ])("%s", (literal, marks, want) => expect(text(literal, marks)).toBe(want));
});

describe("the sentence about bytes that matter", () => {
  test.each([
    [8, { bytes: [[0, 6], [7, 8]] }, "bytes that matter: 0–5, 7"],
    [3, { bytes: [[0, 3]] }, "all bytes matter"],
    [3, {}, "no byte matters"],
    [0, {}, ""],
    [9, { bytes: [[0, 1]], untested: [[4, 9]] }, "bytes that matter: 0; not tested: 4–8"],
    [9, { untested: [[4, 9]] }, "no tested byte matters; not tested: 4–8"],
    [9, { untested: [[0, 9]] }, "not tested which bytes matter"],
    [null, { bytes: [[0, 8]] }, "the value matters"],
    [null, {}, "the value does not matter"],
    [null, { untested: [[0, 8]] }, "not tested whether the value matters"],
  ] as [number | null, { bytes?: [number, number][]; untested?: [number, number][] }, string][])("%j bytes with %j", (count, m, want) => expect(matterText(count, m)).toBe(want));

  test("has an end", () => {
    const bytes = Array.from({ length: 22 }, (_, i): [number, number] => [2 * i, 2 * i + 1]);
    expect(matterText(99, { bytes })).toMatch(/, 38, and 2 more ranges$/);
  });
});
