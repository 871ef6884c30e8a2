import { describe, expect, test } from "vitest";
import css from "../app.css?raw";

// The colors of the theme meet WCAG 2.2, level AA: 4.5:1 for text (criterion 1.4.3), 3:1 for the borders of controls and the lines of plots
// (criterion 1.4.11).

const colors = new Map([...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map((m) => [m[1] ?? "", [m[2] ?? "", m[3] ?? ""] as const]));

/** luminance is the relative luminance of WCAG 2.2. */
function luminance(color: string): number {
  const part = (i: number) => {
    const c = parseInt(color.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

test("black on white has the contrast 21", () => expect(contrast("#000000", "#ffffff")).toBeCloseTo(21));

const surfaces = ["bg", "surface", "raised"];
const pairs: [string, string, number][] = [
  ...surfaces.flatMap((s): [string, string, number][] => [...["text", "muted", "accent", "bad", "good", "warn"].map((c): [string, string, number] => [c, s, 4.5]), ["edge", s, 3]]),
  ["accent", "accent-soft", 4.5],
  ["bad", "bad-soft", 4.5],
  ["warn", "warn-soft", 4.5],
  ["good", "good-soft", 4.5],
  ["text", "bad-soft", 4.5],
  ["text", "warn-soft", 4.5],
  ["text", "mark", 4.5],
  ["on-accent", "accent", 4.5],
];

describe.each([["light", 0], ["dark", 1]] as const)("the %s theme", (_, side) => {
  test.each(pairs)("%s on %s has a contrast of at least %s", (a, b, least) => {
    const [x, y] = [colors.get(a)?.[side], colors.get(b)?.[side]];
    expect(x).toBeDefined();
    expect(y).toBeDefined();
    expect(contrast(x ?? "", y ?? "")).toBeGreaterThanOrEqual(least);
  });
});
