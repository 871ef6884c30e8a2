import { describe, expect, test } from "vitest";
import { asciiOf, fromHex, hexOf, runs, wholeCharacters } from "./bytes";

describe("hex", () => {
  test.each([
    ["00ff 41", [0, 255, 65]],
    ["abc", [0xab]],
    ["zz", []],
    ["", []],
  ])("%j is read as bytes", (hex, want) => expect([...fromHex(hex)]).toEqual(want));
  test("bytes are written as two digits", () => expect(hexOf(Uint8Array.of(0, 255))).toBe("00 ff"));
  test("what is no printable ASCII is a dot", () => expect(asciiOf(Uint8Array.of(10, 65, 200))).toBe("·A·"));
});

describe("marks", () => {
  const shape = (list: ReturnType<typeof runs>) => list.map((r) => (r.marked ? "+" : "-") + r.from + ":" + r.to).join(" ");
  test.each([
    [[], "-0:10"],
    [[[2, 4]], "-0:2 +2:4 -4:10"],
    [[[6, 20], [0, 1]], "+0:1 -1:6 +6:10"],
    [[[2, 6], [4, 8]], "-0:2 +2:8 -8:10"],
    [[[2, 4], [4, 5]], "-0:2 +2:5 -5:10"],
    [[[5, 5], [7, 3], [30, 40]], "-0:10"],
  ] as [[number, number][], string][])("%j of ten bytes", (marks, want) => expect(shape(runs(0, 10, marks))).toBe(want));
  test("do not split a character", () => {
    const data = new TextEncoder().encode("a€b");
    expect(wholeCharacters(data, [[2, 3]])).toEqual([[1, 4]]);
    expect(wholeCharacters(data, [[0, 1]])).toEqual([[0, 1]]);
  });
});
