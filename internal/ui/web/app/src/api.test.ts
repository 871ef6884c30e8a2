import { describe, expect, test } from "vitest";
import { keyOf, targetOf } from "./api";

describe("the key of a target", () => {
  // base64.RawURLEncoding of Go gives the same.
  test("is base64url without padding", () => expect(keyOf({ package: "example.com/m", target: "FuzzX" })).toBe("ZXhhbXBsZS5jb20vbQpGdXp6WA"));
  test.each([["a/b", "FuzzÜ"], ["", ""], ["x".repeat(300), "<b>"]])("%j and %j round-trip", (pkg, target) => {
    const key = keyOf({ package: pkg, target });
    expect(key).toMatch(/^[A-Za-z0-9_-]*$/);
    expect(targetOf(key)).toEqual({ package: pkg, target });
  });
  test("that the server gives is used", () => expect(keyOf({ key: "k", package: "p" })).toBe("k"));
  test.each(["", "%%%", "YQ"])("%j names no target", (key) => expect(targetOf(key)).toEqual({ package: "", target: "" }));
});
