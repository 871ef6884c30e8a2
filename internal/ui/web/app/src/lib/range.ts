// A part of the time that plots show.

export type Range = readonly [from: number, to: number];

/** The shortest range in seconds. */
export const shortest = 1;

/** zoomed returns a range around the middle of another one that is factor times as long, within the whole. */
export function zoomed(range: Range, factor: number, whole: Range): Range {
  const middle = (range[0] + range[1]) / 2;
  const length = Math.min(Math.max((range[1] - range[0]) * factor, shortest), whole[1] - whole[0]);
  return within([middle - length / 2, middle + length / 2], whole);
}

/** panned returns a range that is shifted by a part of its length, within the whole. */
export function panned(range: Range, by: number, whole: Range): Range {
  const shift = (range[1] - range[0]) * by;
  return within([range[0] + shift, range[1] + shift], whole);
}

function within(range: Range, whole: Range): Range {
  const length = Math.min(range[1] - range[0], whole[1] - whole[0]);
  const from = Math.min(Math.max(range[0], whole[0]), whole[1] - length);
  return [from, from + length];
}
