// A target: its numbers over time, the estimate of the next new edge, the entries of each technique, its latest entries and findings.

import { useMemo } from "preact/hooks";
import { keyOf, targetOf, type Point, type TargetPage as Data, type TargetRow, type Technique } from "../api";
import { EntryTable } from "../parts/entries";
import { FindingTable } from "../parts/findings";
import { Figures, Heading, Panel, Tabs } from "../parts/layout";
import { Plots, type Series } from "../parts/plot";
import { Meter } from "../parts/spark";
import { Code, Count, Empty, Pending, Text } from "../parts/text";
import { count, duration, exact, percent, plural, rate } from "../lib/format";
import { link } from "../router";
import { useCampaign, useQuery } from "../store";
import { campaignCrumbs, TargetBadge } from "./campaign";

/** TargetHeading is the heading of the pages of a target, with links to its parts. */
export function TargetHeading({ id, target, current, row }: { id: string; target: string; current: string; row?: TargetRow | undefined }) {
  const name = targetOf(target);
  return (
    <>
      <Heading
        crumbs={campaignCrumbs(id)}
        title={name.target || "unknown target"}
        code
        sub={
          <>
            <Code of={name.package} limit={200} />
            {row?.reason && (
              <>
                {" "}
                · <Text of={row.reason} limit={500} />
              </>
            )}
          </>
        }
      >
        {row && <TargetBadge t={row} />}
      </Heading>
      <Tabs
        label="Parts of the target"
        current={current}
        list={[
          { id: "progress", title: "Progress", href: link(["campaigns", id, "targets", target]) },
          { id: "corpus", title: "Corpus", href: link(["campaigns", id, "targets", target, "corpus"]) },
          { id: "sources", title: "Sources", href: link(["campaigns", id, "sources"], { target }) },
          { id: "frontier", title: "Frontier", href: link(["campaigns", id, "frontier"], { target }) },
        ]}
      />
    </>
  );
}

export function TargetPage({ id, target }: { id: string; target: string }) {
  const campaign = useCampaign(id);
  const running = campaign.data?.campaign.state === "running";
  const query = useQuery<Data>(link(["api", "campaigns", id, "targets", target]), running ? 3000 : 0);
  const live = campaign.data?.targets.find((t) => keyOf(t) === target);
  const row = live ?? query.data?.target;
  return (
    <>
      <TargetHeading id={id} target={target} current="progress" row={row} />
      {query.data && row ? <Body data={query.data} row={row} id={id} target={target} module={campaign.data?.campaign.module} /> : <Pending error={query.error} />}
    </>
  );
}

function Body({ data, row, id, target, module }: { data: Data; row: TargetRow; id: string; target: string; module: string | undefined }) {
  return (
    <>
      <Figures
        list={[
          { id: "execs", label: "Executions", value: <Count of={row.execs} />, note: `${rate(row.rate)}/s` },
          { id: "edges", label: "Edges", value: <Count of={row.edges} />, note: row.execs > 0 && row.seconds_since_edge ? `last one ${duration(row.seconds_since_edge)} ago` : undefined },
          row.statements
            ? { id: "statements", label: "Statements", value: percent(row.covered_statements, row.statements), note: `${exact(row.covered_statements)} of ${exact(row.statements)}` }
            : null,
          { id: "entries", label: "Corpus entries", value: <Count of={row.entries} />, note: row.new_entries ? `${count(row.new_entries)} new` : undefined },
          { id: "findings", label: "Findings", value: exact(row.bugs), ...(row.bugs ? { tone: "bad" as const } : {}) },
          { id: "seconds", label: "Time in turns", value: duration(row.seconds), note: `${(row.share * 100).toFixed(1)} % of the pool` },
          row.rerun_entries
            ? { id: "stability", label: "Stability", value: percent(row.repeated_entries, row.rerun_entries), note: `of ${plural(row.rerun_entries, "repeated execution")} reached the same` }
            : null,
        ]}
      />
      <Panel title="Over time" id="plots">
        <Progress points={data.points} />
      </Panel>
      <div class="columns">
        <Panel title="What is left" id="estimate">
          <Left row={row} />
        </Panel>
        <Panel title="What each technique brought" id="techniques">
          <Techniques list={data.techniques} />
        </Panel>
      </div>
      <Panel title="Findings" id="findings">
        <FindingTable rows={data.findings} module={module} empty="No findings of this target." name="f" />
      </Panel>
      <Panel title="Latest entries" id="entries" tools={<a href={link(["campaigns", id, "targets", target, "corpus"])}>whole corpus</a>}>
        <EntryTable rows={data.entries} id={id} target={target} empty="No new entries yet." />
      </Panel>
    </>
  );
}

function Progress({ points }: { points: Point[] }) {
  const x = useMemo(() => points.map((p) => p.seconds), [points]);
  const list = useMemo<Series[]>(() => {
    const all: (Series | null)[] = [
      { id: "edges", title: "Edges", values: points.map((p) => p.edges), text: count, steps: true },
      points.some((p) => p.statements)
        ? { id: "statements", title: "Statements covered", values: points.map((p) => (p.statements ? p.covered : null)), text: count, steps: true }
        : null,
      { id: "rate", title: "Executions/s", values: points.map((p) => p.rate), text: rate, zero: true },
      { id: "entries", title: "Corpus entries", values: points.map((p) => p.entries), text: count, steps: true },
      { id: "findings", title: "Findings", values: points.map((p) => p.findings), text: count, steps: true, zero: true },
    ];
    return all.filter((s) => s !== null);
  }, [points]);
  if (points.length < 2) return <Empty>There are not enough numbers for a plot yet.</Empty>;
  return <Plots x={x} list={list} />;
}

/** Left shows the estimate of the time to the next new edge, with its band on a logarithmic scale. */
function Left({ row }: { row: TargetRow }) {
  if (!row.next_edge_seconds) {
    return <Empty>{row.state === "quiet" ? "No new edge is expected." : "There is no estimate yet: it needs more new edges to learn from."}</Empty>;
  }
  const { next_edge_seconds: next, next_edge_low: low = 0, next_edge_high: high = 0 } = row;
  const marks: [number, string][] = [[1, "1 s"], [60, "1 min"], [3600, "1 h"], [86400, "1 d"], [2592000, "30 d"]];
  const end = 2592000;
  const at = (s: number) => 2 + (Math.log10(Math.min(Math.max(s, 0.3), end * 2) / 0.3) / Math.log10((end * 2) / 0.3)) * 96;
  return (
    <>
      <p data-testid="estimate">
        The next new edge is expected in about <strong>{duration(next)}</strong> of fuzzing; with a probability of 80 % between {duration(low)} and {duration(high)}.
      </p>
      <svg class="band" viewBox="0 0 400 46" role="img" aria-label={`Estimate ${duration(next)}, band from ${duration(low)} to ${duration(high)}`}>
        <line class="axis" x1="0" x2="400" y1="26" y2="26" />
        {marks.map(([s, text]) => (
          <>
            <line class="axis" x1={at(s) * 4} x2={at(s) * 4} y1="22" y2="30" />
            <text x={at(s) * 4} y="43" text-anchor="middle">
              {text}
            </text>
          </>
        ))}
        <rect class="range" x={at(low) * 4} width={Math.max(2, (at(high) - at(low)) * 4)} y="6" height="12" rx="3" />
        <line class="best" x1={at(next) * 4} x2={at(next) * 4} y1="2" y2="22" />
      </svg>
    </>
  );
}

function Techniques({ list }: { list: Technique[] }) {
  const sorted = [...list].sort((a, b) => b.edges - a.edges || b.entries - a.entries);
  const most = Math.max(0, ...sorted.map((t) => t.edges));
  if (sorted.length === 0) return <Empty>It is not known which technique brought which entry.</Empty>;
  return (
    <div class="scroll">
      <table data-testid="techniques">
        <thead>
          <tr>
            <th scope="col">Technique</th>
            <th scope="col" class="number">New edges</th>
            <th scope="col" class="grow"><span class="sr-only">Share</span></th>
            <th scope="col" class="number">Entries</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((t) => (
            <tr>
              <th scope="row">
                <Text of={t.name} limit={60} />
              </th>
              <td class="number">{exact(t.edges)}</td>
              <td class="grow">
                <Meter part={t.edges} whole={most} />
              </td>
              <td class="number">{exact(t.entries)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
