import { useMemo, useState } from "preact/hooks";
import type { Campaign, CampaignList } from "../api";
import { Heading } from "../parts/layout";
import { Table, type Column } from "../parts/table";
import { Ago, Badge, Code, Count, Pending, Text } from "../parts/text";
import { duration, percent } from "../lib/format";
import { go, link } from "../router";
import { useQuery } from "../store";

export function CampaignBadge({ c, paused }: { c: Campaign; paused?: boolean | undefined }) {
  if (c.state === "running") return paused ? <Badge tone="warn">paused</Badge> : <Badge tone="accent">running</Badge>;
  return c.state === "killed" ? <Badge tone="warn" title="The process was killed; the same command resumes the campaign">killed</Badge> : <Badge>ended</Badge>;
}

/** commandOf returns the arguments of a campaign, or its packages if the history has no arguments. */
export function commandOf(c: Campaign): string {
  return c.args || c.packages;
}

export function CampaignsPage() {
  const query = useQuery<CampaignList>("/api/campaigns", 5000);
  const [chosen, choose] = useState<(string | number)[]>([]);
  const columns = useMemo<Column<Campaign>[]>(
    () => [
      {
        id: "id",
        title: "Campaign",
        head: true,
        down: true,
        value: (c) => (typeof c.id === "number" ? c.id : Infinity),
        cell: (c) => (
          <a href={link(["campaigns", c.id])} data-testid="campaign-link">
            {typeof c.id === "number" ? `#${c.id}` : c.id}
          </a>
        ),
      },
      { id: "state", title: "State", value: (c) => c.state, cell: (c) => <CampaignBadge c={c} /> },
      {
        id: "module",
        title: "Module",
        grow: true,
        value: (c) => c.module,
        class: "path",
        cell: (c) => (
          <>
            <Code of={c.module} limit={120} />
            <br />
            <span class="muted">
              <Text of={commandOf(c)} limit={120} />
            </span>
          </>
        ),
      },
      { id: "started", title: "Started", number: true, down: true, value: (c) => Date.parse(c.started), cell: (c) => <Ago at={c.started} /> },
      { id: "seconds", title: "Time", number: true, down: true, value: (c) => c.seconds, cell: (c) => duration(c.seconds) },
      { id: "targets", title: "Targets", help: "That had a turn", number: true, down: true, value: (c) => c.targets, cell: (c) => <Count of={c.targets} /> },
      { id: "execs", title: "Executions", number: true, down: true, value: (c) => c.execs, cell: (c) => <Count of={c.execs} /> },
      { id: "edges", title: "Edges", number: true, down: true, value: (c) => c.edges, cell: (c) => <Count of={c.edges} /> },
      {
        id: "covered",
        title: "Statements",
        number: true,
        down: true,
        value: (c) => (c.statements ? c.covered / c.statements : null),
        cell: (c) => (c.statements ? percent(c.covered, c.statements) : "–"),
      },
      { id: "entries", title: "Entries", number: true, down: true, value: (c) => c.entries, cell: (c) => <Count of={c.entries} /> },
      {
        id: "findings",
        title: "Findings",
        number: true,
        down: true,
        value: (c) => c.findings,
        cell: (c) => (c.findings > 0 ? <Badge tone="bad">{c.findings}</Badge> : "0"),
      },
      {
        id: "compare",
        title: "Compare",
        cell: (c) => (
          <input
            type="checkbox"
            aria-label={`Compare campaign ${c.id}`}
            checked={chosen.includes(c.id)}
            onChange={(e) => choose(e.currentTarget.checked ? [...chosen, c.id].slice(-2) : chosen.filter((id) => id !== c.id))}
            data-testid="compare-choose"
          />
        ),
      },
    ],
    [chosen],
  );
  const [older, newer] = [...chosen].sort((a, b) => Number(a) - Number(b));
  return (
    <>
      <Heading title="Campaigns" />
      {query.data ? (
        <Table
          caption="Campaigns"
          columns={columns}
          rows={query.data.campaigns}
          id={(c) => String(c.id)}
          order={{ by: "id", down: true }}
          text={(c) => `${c.id} ${c.module} ${commandOf(c)} ${c.state} ${c.go} ${c.commit}`}
          tools={
            <button type="button" disabled={newer === undefined} onClick={() => go(link(["compare"], { a: older, b: newer }))} data-testid="compare">
              {newer === undefined ? "Compare two" : `Compare ${older} with ${newer}`}
            </button>
          }
          empty={
            <>
              There are no campaigns yet. Start one with <code>gnaw fuzz</code>.
            </>
          }
          testid="campaigns"
        />
      ) : (
        <Pending error={query.error} />
      )}
    </>
  );
}
