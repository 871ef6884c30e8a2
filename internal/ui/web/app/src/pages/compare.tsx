// Two campaigns side by side.

import { useMemo } from "preact/hooks";
import { keyOf, type Campaign, type CampaignList, type Comparison, type Pair, type Side } from "../api";
import { FindingTable } from "../parts/findings";
import { Heading, Panel } from "../parts/layout";
import { Table, type Column } from "../parts/table";
import { Ago, Count, Empty, Pending, Text } from "../parts/text";
import { count, difference, duration, exact, packageName, percent, signed } from "../lib/format";
import { link, setQuery, usePlace } from "../router";
import { useQuery } from "../store";

export function ComparePage() {
  const { query } = usePlace();
  const a = query.get("a");
  const b = query.get("b");
  const list = useQuery<CampaignList>("/api/campaigns");
  const comparison = useQuery<Comparison>(a && b ? link(["api", "compare"], { a, b }) : null);
  const campaigns = list.data?.campaigns ?? [];
  const choice = (name: "a" | "b", label: string, value: string | null) => (
    <label class="choice">
      <span>{label}</span>
      <select value={value ?? ""} onChange={(e) => setQuery({ [name]: e.currentTarget.value })} data-testid={`compare-${name}`}>
        <option value="">choose a campaign</option>
        {value && !campaigns.some((c) => String(c.id) === value) && <option value={value}>{value}</option>}
        {campaigns.map((c) => (
          <option value={String(c.id)}>
            {c.id} · {c.module.slice(0, 60)} · {c.started.slice(0, 16).replace("T", " ")} UTC
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <Heading title="Compare campaigns" />
      <div class="tools choices">
        {choice("a", "Before", a)}
        {choice("b", "After", b)}
      </div>
      {!a || !b ? (
        <Empty>Choose two campaigns.</Empty>
      ) : comparison.data ? (
        <Body data={comparison.data} a={a} b={b} />
      ) : (
        <Pending error={comparison.error} />
      )}
    </>
  );
}

const numbers: { id: keyof Side; title: string }[] = [
  { id: "edges", title: "Edges" },
  { id: "covered", title: "Statements" },
  { id: "entries", title: "Entries" },
  { id: "execs", title: "Executions" },
  { id: "findings", title: "Findings" },
];

function Body({ data, a, b }: { data: Comparison; a: string; b: string }) {
  const module = data.b.module;
  const covers = data.targets.some((t) => typeof (t.a?.covered ?? t.b?.covered) === "number");
  const columns = useMemo<Column<Pair>[]>(
    () => [
      {
        id: "name",
        title: "Target",
        head: true,
        grow: true,
        class: "path",
        value: (t) => `${t.target} ${t.package}`,
        cell: (t) => (
          <>
            <a href={link(["campaigns", t.b ? b : a, "targets", keyOf(t)])} class="code">
              <Text of={t.target} limit={80} />
            </a>{" "}
            <span class="muted">
              <Text of={packageName(t.package, module)} limit={100} />
            </span>
            {!t.a && <span class="muted"> · only after</span>}
            {!t.b && <span class="muted"> · only before</span>}
          </>
        ),
      },
      ...numbers
        .filter((n) => n.id !== "covered" || covers)
        .map(
          ({ id, title }): Column<Pair> => ({
            id,
            title,
            number: true,
            down: true,
            value: (t) => difference(t.a?.[id], t.b?.[id]),
            cell: (t) => <Change from={t.a?.[id]} to={t.b?.[id]} more={id === "findings" ? "bad" : id === "execs" || id === "entries" ? "plain" : "good"} />,
          }),
        ),
    ],
    [a, b, module, covers],
  );
  const pair = (title: string, f: (c: Campaign) => preact.ComponentChildren) => (
    <tr>
      <th scope="row">{title}</th>
      <td class="number">{f(data.a)}</td>
      <td class="number">{f(data.b)}</td>
    </tr>
  );
  return (
    <>
      <Panel title="Totals" id="compare-totals">
        <div class="scroll">
          <table class="totals">
            <thead>
              <tr>
                <th scope="col">
                  <span class="sr-only">Number</span>
                </th>
                <th scope="col" class="number">
                  <a href={link(["campaigns", a])}>Campaign {a}</a>
                </th>
                <th scope="col" class="number">
                  <a href={link(["campaigns", b])}>Campaign {b}</a>
                </th>
              </tr>
            </thead>
            <tbody>
              {pair("Started", (c) => <Ago at={c.started} />)}
              {pair("Time", (c) => duration(c.seconds))}
              {pair("Targets", (c) => exact(c.targets))}
              {pair("Executions", (c) => <Count of={c.execs} />)}
              {pair("Edges", (c) => <Count of={c.edges} />)}
              {pair("Statements", (c) => (c.statements ? `${exact(c.covered)} (${percent(c.covered, c.statements)})` : "–"))}
              {pair("Entries", (c) => <Count of={c.entries} />)}
              {pair("Findings", (c) => exact(c.findings))}
            </tbody>
          </table>
        </div>
      </Panel>
      <Panel title="Targets" id="compare-targets" note="the difference, and the number after">
        <Table caption="Targets of both campaigns" columns={columns} rows={data.targets} id={(t) => keyOf(t)} order={{ by: "edges", down: true }} text={(t) => `${t.target} ${t.package}`} name="t" empty="The campaigns have no targets." testid="compare" />
      </Panel>
      <Panel title={`Findings only in campaign ${b}`} id="only-b">
        <FindingTable rows={data.findings.only_b} module={module} empty="None." name="fb" testid="only-b" />
      </Panel>
      <Panel title={`Findings only in campaign ${a}`} id="only-a">
        <FindingTable rows={data.findings.only_a} module={module} empty="None." name="fa" testid="only-a" />
      </Panel>
      <Panel title="Findings in both" id="both">
        <FindingTable rows={data.findings.both} module={module} empty="None." name="f" testid="both" />
      </Panel>
    </>
  );
}

function Change({ from, to, more }: { from: number | null | undefined; to: number | null | undefined; more: "good" | "bad" | "plain" }) {
  if (to === undefined || to === null) return <span class="muted">{from === undefined || from === null ? "–" : `was ${count(from)}`}</span>;
  if (from === undefined || from === null) return <Count of={to} />;
  const d = to - from;
  const tone = d === 0 || more === "plain" ? "muted" : (d > 0) === (more === "good") ? "tone-good" : "tone-bad";
  return (
    <span title={`${exact(from)} before, ${exact(to)} after`}>
      <span class={tone}>{signed(d)}</span> <span class="after">{count(to)}</span>
    </span>
  );
}
