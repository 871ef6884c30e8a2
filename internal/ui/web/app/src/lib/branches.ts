// Branches with a side that no input takes.

import type { SourceLine } from "../api";
import { plural } from "./format";
import { cut } from "./text";

/** The number of files that a sentence names. */
const namedFiles = 5;

/** runs returns the numbers of the lines that a function chooses; of lines one after the other, the first. */
export function runs(lines: readonly SourceLine[], chosen: (l: SourceLine) => boolean): number[] {
  return lines.filter((l, i) => chosen(l) && !(lines[i - 1] && chosen(lines[i - 1]!))).map((l) => l.n);
}

/** next returns the number after another one, or before it with a negative step. After the last one comes the first one. */
export function next(numbers: readonly number[], at: number, step: 1 | -1): number | undefined {
  return step > 0 ? (numbers.find((n) => n > at) ?? numbers[0]) : (numbers.findLast((n) => n < at) ?? numbers.at(-1));
}

/** left says that some files have no branches because they were changed. names are those of some of them. */
export function left(names: readonly string[], total: number): string {
  const some = names.slice(0, namedFiles);
  const more = total > some.length ? ` and ${total - some.length} more` : "";
  const were = total === 1 ? "was changed after its" : "were changed after their";
  const are = total === 1 ? "its" : "their";
  return `${plural(total, "file")} ${were} statements were counted, and ${are} branches are not shown: ${some.map((f) => cut(f, 100)).join(", ")}${more}.`;
}
