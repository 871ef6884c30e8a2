// Findings as a table.

import { useMemo } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { FindingRow } from "../api";
import { packageName } from "../lib/format";
import { link } from "../router";
import { Table, type Column } from "./table";
import { Ago, Code, Count, Standing, Text } from "./text";

/** title returns the message without the prefix of errors of the runtime. */
export function title(f: { message: string; kind: string }): string {
  return f.message.replace(/^fatal error: /, "").replace(/^runtime error: /, "") || f.kind;
}

function standing(f: FindingRow): string {
  if (f.known && !f.known.expired) return "known";
  return f.flaky ? "flaky" : f.counts ? "bug" : "not proved";
}

function columns(module: string | undefined): Column<FindingRow>[] {
  const ranks: Record<string, number> = { bug: 0, flaky: 1, "not proved": 2, known: 3 };
  return [
    {
      id: "what",
      title: "Finding",
      head: true,
      grow: true,
      value: title,
      cell: (f) => (
        <a href={link(["findings", f.id])} data-testid="finding-link">
          <Text of={title(f)} limit={160} />
        </a>
      ),
    },
    { id: "standing", title: "Standing", value: (f) => ranks[standing(f)], cell: (f) => <Standing f={f} /> },
    { id: "kind", title: "Kind", value: (f) => f.kind, cell: (f) => <Text of={f.kind} /> },
    { id: "place", title: "Place", value: (f) => f.place, cell: (f) => <Code of={f.place} limit={120} />, class: "path" },
    {
      id: "target",
      title: "Target",
      value: (f) => `${f.package} ${f.target}`,
      cell: (f) => (
        <>
          <Code of={f.target} limit={80} /> <span class="muted"><Text of={packageName(f.package, module)} limit={80} /></span>
        </>
      ),
      class: "path",
    },
    { id: "times", title: "Seen", number: true, down: true, value: (f) => f.times, cell: (f) => <><Count of={f.times} />×</> },
    { id: "last", title: "Last", number: true, down: true, value: (f) => Date.parse(f.last), cell: (f) => <Ago at={f.last} /> },
    { id: "id", title: "ID", value: (f) => f.short_id, cell: (f) => <Code of={f.short_id} /> },
  ];
}

export function FindingTable({ rows, module, empty, name, testid = "findings" }: { rows: FindingRow[]; module?: string | undefined; empty: ComponentChildren; name?: string; testid?: string }) {
  const cols = useMemo(() => columns(module), [module]);
  return (
    <Table
      caption="Findings"
      columns={cols}
      rows={rows}
      id={(f) => f.id}
      order={{ by: "last", down: true }}
      {...(rows.length > 5 ? { text: (f: FindingRow) => `${title(f)} ${standing(f)} ${f.kind} ${f.place} ${f.target} ${f.package} ${f.id}` } : {})}
      {...(name ? { name } : {})}
      empty={empty}
      testid={testid}
    />
  );
}
