// The order and the filter of the rows of a table.

export type Value = number | string | boolean | null | undefined;

/** Order is a column and a direction. */
export interface Order {
  by: string;
  down: boolean;
}

/** parseOrder reads "-edges" or "name". */
export function parseOrder(text: string | null, fallback: Order): Order {
  if (!text) return fallback;
  return text.startsWith("-") ? { by: text.slice(1), down: true } : { by: text, down: false };
}

export function orderText(order: Order): string {
  return (order.down ? "-" : "") + order.by;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** compare orders two values of a column. It compares numbers in texts as numbers. */
export function compare(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
  return Number(a) - Number(b);
}

/** sorted returns the rows in order. Absent values are last in both directions, and equal rows keep their order. */
export function sorted<T>(rows: readonly T[], value: (row: T) => Value, down: boolean): T[] {
  const missing = (v: Value) => v === null || v === undefined || (typeof v === "number" && Number.isNaN(v));
  return rows
    .map((row, i) => ({ row, i, v: value(row) }))
    .sort((a, b) => {
      if (missing(a.v) || missing(b.v)) return Number(missing(a.v)) - Number(missing(b.v)) || a.i - b.i;
      return (down ? compare(b.v, a.v) : compare(a.v, b.v)) || a.i - b.i;
    })
    .map((x) => x.row);
}

/** matches reports whether a text contains each word of a filter, and no word after a minus sign. Case does not matter. */
export function matches(text: string, filter: string): boolean {
  const low = text.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "" && word !== "-")
    .every((word) => (word.startsWith("-") ? !low.includes(word.slice(1)) : low.includes(word)));
}

/** page returns the rows of one page, the number of the page within bounds, and how many pages there are. */
export function page<T>(rows: readonly T[], number: number, size: number): { rows: T[]; number: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const n = Math.min(Math.max(0, number), pages - 1);
  return { rows: rows.slice(n * size, (n + 1) * size), number: n, pages };
}
