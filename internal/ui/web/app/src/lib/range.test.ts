import { describe, expect, test } from "vitest";
import { panned, zoomed } from "./range";

describe("the range of plots", () => {
  test("half as long around the middle", () => expect(zoomed([0, 100], 0.5, [0, 100])).toEqual([25, 75]));
  test("never beyond the whole", () => expect(zoomed([90, 100], 4, [0, 100])).toEqual([60, 100]));
  test("never shorter than a second", () => expect(zoomed([10, 11], 0.5, [0, 100])).toEqual([10, 11]));
  test("never longer than the whole", () => expect(zoomed([25, 75], 8, [0, 100])).toEqual([0, 100]));
  test("earlier and later by a part of its length, up to the ends", () => {
    expect(panned([40, 60], -0.5, [0, 100])).toEqual([30, 50]);
    expect(panned([90, 100], 0.5, [0, 100])).toEqual([90, 100]);
  });
});
