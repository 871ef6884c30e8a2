import { describe, expect, test } from "vitest";
import { asciiOf, fromHex, hexOf } from "./bytes";

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
