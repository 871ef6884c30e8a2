// Corpus entries as a table.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { EntryRow } from "../api";
import { bytes, exact } from "../lib/format";
import { link } from "../router";
import { Table, type Column } from "./table";
import { Ago, Text } from "./text";

/** The history does not have the edges and the technique of each entry. */
interface Known {
  news: boolean;
  technique: boolean;
}

function columns(id: string, target: string, whole: boolean, known: Known): Column<EntryRow>[] {
  const sort = <T,>(f: T): { value?: T } => (whole ? {} : { value: f }); // the server orders the whole corpus
  const number = (n: number | null) => (n === null ? "–" : exact(n));
  const list: (Column<EntryRow> | false)[] = [
    {
      id: "input",
      title: "Input",
      head: true,
      grow: true,
      class: "path",
      ...sort((e: EntryRow) => e.literals.join(", ")),
      cell: (e) => (
        <a href={link(["campaigns", id, "targets", target, "entries", e.name])} class="code" data-testid="entry-link">
          <Text of={e.literals.join(", ") || e.name} limit={160} />
        </a>
      ),
    },
    known.news && { id: "edges", title: "New edges", number: true, down: true, ...sort((e: EntryRow) => e.edges), cell: (e) => number(e.edges) },
    known.news && { id: "buckets", title: "New counts", help: "New hit-count buckets", number: true, down: true, ...sort((e: EntryRow) => e.buckets), cell: (e) => number(e.buckets) },
    known.technique && { id: "technique", title: "Technique", ...sort((e: EntryRow) => e.technique || null), cell: (e) => <Text of={e.technique || "–"} limit={40} /> },
    { id: "size", title: "File size", number: true, ...sort((e: EntryRow) => e.size), cell: (e) => bytes(e.size) },
    { id: "at", title: "Found", number: true, down: true, ...sort((e: EntryRow) => Date.parse(e.at)), cell: (e) => <Ago at={e.at} /> },
  ];
  return list.filter((c) => c !== false);
}

/** EntryTable shows entries. With whole, they are a page of a corpus, in the order of the server; otherwise the reader can sort them. */
export function EntryTable({ rows, id, target, empty, whole = false }: { rows: EntryRow[]; id: string; target: string; empty: ComponentChildren; whole?: boolean }) {
  const news = rows.some((e) => (e.edges ?? e.buckets) !== null);
  const technique = rows.some((e) => e.technique);
  const cols = useMemo(() => columns(id, target, whole, { news, technique }), [id, target, whole, news, technique]);
  return <Table caption="Corpus entries" columns={cols} rows={rows} id={(e) => e.name} order={{ by: "", down: false }} empty={empty} name="e" size={whole ? 100 : 50} testid="entries" />;
}
