// A table whose columns can be sorted and whose rows can be filtered. On a narrow screen each row is a card. Its order, filter and page are
// parameters of the address, so that they survive a reload.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { exact } from "../lib/format";
import { matches, orderText, page, parseOrder, sorted, type Order, type Value } from "../lib/sort";
import { setQuery, usePlace } from "../router";

export interface Column<T> {
  id: string;
  title: string;
  help?: string; // what the column has, as a title
  cell: (row: T) => ComponentChildren;
  value?: (row: T) => Value; // to sort by; without it the column cannot be sorted
  down?: boolean; // the first click sorts downwards
  number?: boolean; // aligned to the right
  head?: boolean; // the cell that names the row
  grow?: boolean; // takes the width that is left
  class?: string;
}

interface Props<T> {
  caption: string; // for screen readers
  columns: Column<T>[];
  rows: readonly T[];
  id: (row: T) => string;
  order: Order;
  text?: (row: T) => string; // to filter by; without it there is no filter
  name?: string; // prefix of the parameters in the address, for pages with several tables
  size?: number; // rows of a page
  rowClass?: (row: T) => string;
  tools?: ComponentChildren; // beside the filter
  empty: ComponentChildren;
  testid: string;
}

export function Table<T>(p: Props<T>) {
  const { query } = usePlace();
  const name = (s: string) => (p.name ? `${p.name}-${s}` : s);
  const order = parseOrder(query.get(name("sort")), p.order);
  const filter = p.text ? (query.get(name("q")) ?? "") : "";
  const size = p.size ?? 50;

  const rows = useMemo(() => {
    const text = p.text;
    const kept = filter && text ? p.rows.filter((row) => matches(text(row), filter)) : p.rows;
    const value = p.columns.find((c) => c.id === order.by)?.value;
    return value ? sorted(kept, value, order.down) : kept;
  }, [p.rows, p.columns, filter, order.by, order.down]);
  const shown = page(rows, Number(query.get(name("page")) ?? 1) - 1 || 0, size);

  const sortBy = (next: Order) => setQuery({ [name("sort")]: orderText(next) === orderText(p.order) ? null : orderText(next), [name("page")]: null });
  const clicked = (c: Column<T>) => sortBy({ by: c.id, down: order.by === c.id ? !order.down : (c.down ?? false) });
  const sortable = p.columns.filter((c) => c.value);

  return (
    <div class="table" data-testid={p.testid}>
      {(p.text || p.tools) && p.rows.length > 0 && (
        <div class="tools">
          {p.text && (
            <label class="filter">
              <span class="sr-only">Filter: {p.caption}</span>
              <input
                type="search"
                placeholder="Filter"
                title="Rows that contain each word; -word leaves rows with the word out"
                value={filter}
                onInput={(e) => setQuery({ [name("q")]: e.currentTarget.value, [name("page")]: null })}
                data-testid={`${p.testid}-filter`}
              />
            </label>
          )}
          <label class="sort">
            <span>Sort by</span>
            <select value={orderText(order)} onChange={(e) => sortBy(parseOrder(e.currentTarget.value, p.order))}>
              {sortable.flatMap((c) =>
                (c.down ? [true, false] : [false, true]).map((down) => (
                  <option value={orderText({ by: c.id, down })}>
                    {c.title} {down ? "↓" : "↑"}
                  </option>
                )),
              )}
            </select>
          </label>
          {p.tools}
          <span class="shown" role="status">
            {filter ? `${exact(rows.length)} of ${exact(p.rows.length)}` : ""}
          </span>
        </div>
      )}
      {p.rows.length === 0 ? (
        <p class="empty">{p.empty}</p>
      ) : rows.length === 0 ? (
        <p class="empty">No row matches the filter.</p>
      ) : (
        <div class="scroll">
          <table role="table">
            <caption class="sr-only">{p.caption}</caption>
            <thead role="rowgroup">
              <tr role="row">
                {p.columns.map((c) => {
                  const on = order.by === c.id;
                  const sort = c.value ? { "aria-sort": on ? (order.down ? "descending" : "ascending") : "none" } as const : {};
                  return (
                    <th role="columnheader" scope="col" class={classes(c)} title={c.help} {...sort}>
                      {c.value ? (
                        <button type="button" onClick={() => clicked(c)} data-testid={`${p.testid}-sort-${c.id}`}>
                          {c.title}
                          <span class="arrow" aria-hidden="true">
                            {on ? (order.down ? "↓" : "↑") : ""}
                          </span>
                        </button>
                      ) : (
                        c.title
                      )}
                    </th>
                  );
                })}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {shown.rows.map((row) => (
                <tr role="row" key={p.id(row)} class={p.rowClass?.(row)} data-testid={`${p.testid}-row`}>
                  {p.columns.map((c) =>
                    c.head ? (
                      <th role="rowheader" scope="row" class={classes(c)} data-label={c.title}>
                        {c.cell(row)}
                      </th>
                    ) : (
                      <td role="cell" class={classes(c)} data-label={c.title} data-column={c.id}>
                        {c.cell(row)}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.pages > 1 && (
        <Pages
          number={shown.number}
          pages={shown.pages}
          from={shown.number * size + 1}
          to={shown.number * size + shown.rows.length}
          total={rows.length}
          show={(n) => setQuery({ [name("page")]: n === 0 ? null : String(n + 1) })}
        />
      )}
    </div>
  );
}

function classes(c: { number?: boolean; head?: boolean; grow?: boolean; class?: string }): string {
  return [c.number && "number", c.head && "head", c.grow && "grow", c.class].filter(Boolean).join(" ");
}

/** Pages has the buttons between the pages of a table. */
export function Pages(p: { number: number; pages: number; from: number; to: number; total: number; show: (n: number) => void }) {
  return (
    <nav class="pages" aria-label="Pages of the table">
      <button type="button" disabled={p.number === 0} onClick={() => p.show(p.number - 1)} data-testid="page-before">
        ← Before
      </button>
      <span>
        {exact(p.from)}–{exact(p.to)} of {exact(p.total)}
      </span>
      <button type="button" disabled={p.number >= p.pages - 1} onClick={() => p.show(p.number + 1)} data-testid="page-next">
        Next →
      </button>
    </nav>
  );
}
