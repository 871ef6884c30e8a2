// The branches of a campaign or a target of which no input takes a side.

import { useMemo } from "preact/hooks";
import { keyOf, type Branch, type FrontierPage as Page } from "../api";
import { Heading } from "../parts/layout";
import { Table, type Column } from "../parts/table";
import { Ago, Code, Copy, Pending, Text } from "../parts/text";
import { left } from "../lib/branches";
import { exact, packageName } from "../lib/format";
import { link, usePlace } from "../router";
import { useCampaign, useQuery } from "../store";
import { campaignCrumbs } from "./campaign";
import { TargetHeading } from "./target";

/** Row is a branch with its place in the order of gnaw frontier, from 1. */
interface Row extends Branch {
  rank: number;
}

function columns(id: string, target: string | null, module: string | undefined): Column<Row>[] {
  return [
    {
      id: "place",
      title: "Condition",
      head: true,
      class: "path",
      value: (b) => b.file,
      cell: (b) => (
        <a href={`${link(["campaigns", id, "source"], { file: b.file, target })}#L${b.line}`} class="code" data-testid="frontier-link">
          <Text of={packageName(b.file, module)} limit={200} />
          <span class="whole">:{b.line}</span>
        </a>
      ),
    },
    { id: "rank", title: "Rank", help: "The place in the order of gnaw frontier", number: true, value: (b) => b.rank, cell: (b) => exact(b.rank) },
    { id: "branch", title: "Branch", grow: true, class: "path", cell: (b) => <BranchCell b={b} /> },
    { id: "behind", title: "Behind", help: "Statements that are executed only if the side is taken", number: true, down: true, value: (b) => b.behind, cell: (b) => exact(b.behind) },
    { id: "inputs", title: "Inputs", help: "Inputs that reach the condition", number: true, down: true, value: (b) => b.inputs, cell: (b) => exact(b.inputs) },
    { id: "targets", title: "Targets", class: "path", value: (b) => b.targets.join(" "), cell: (b) => <Code of={b.targets.join(", ")} limit={200} /> },
    { id: "command", title: "Command", help: "The command that shows what would help", cell: (b) => <Copy text={b.command} what={`the command ${b.command}`} id="frontier" /> },
  ];
}

/** BranchCell shows a branch, and what would help. */
function BranchCell({ b }: { b: Branch }) {
  const help = b.details.find((line) => line.startsWith("-> "));
  return (
    <>
      <Code of={b.sentence} limit={400} />
      {help && (
        <div class="muted" data-testid="frontier-help">
          <Text of={help} limit={400} />
        </div>
      )}
    </>
  );
}

export function FrontierPage({ id }: { id: string }) {
  const { query } = usePlace();
  const target = query.get("target");
  const campaign = useCampaign(id);
  const running = campaign.data?.campaign.state === "running";
  const page = useQuery<Page>(link(["api", "frontier"], { campaign: id, target }), running ? 5000 : 0);
  const module = campaign.data?.campaign.module;
  const list = useMemo(() => columns(id, target, module), [id, target, module]);
  const branches = page.data?.branches;
  const rows = useMemo(() => (branches ?? []).map((b, i): Row => ({ ...b, rank: i + 1 })), [branches]);
  const row = campaign.data?.targets.find((t) => keyOf(t) === target);
  return (
    <>
      {target ? (
        <TargetHeading id={id} target={target} current="frontier" row={row} />
      ) : (
        <Heading crumbs={campaignCrumbs(id)} title="Frontier" sub="Branches with a side that no input takes" />
      )}
      {page.data ? (
        <>
          <p>
            Each row is a condition that an input evaluates, with a side that no input takes. The rows have the order of <code>gnaw frontier</code>.{" "}
            {!page.data.kept && (
              <>
                The command <code>gnaw frontier</code> also shows what the condition compares, and what would help.
              </>
            )}
            {page.data.kept && !page.data.kept.same && (
              <span data-testid="frontier-earlier">
                What would help is what <code>gnaw frontier</code> found <Ago at={page.data.kept.at} /> for other inputs.
              </span>
            )}
          </p>
          {page.data.changed_total > 0 && (
            <p data-testid="frontier-changed">
              <Text
                of={left(
                  page.data.changed.map((f) => packageName(f, module)),
                  page.data.changed_total,
                )}
              />{" "}
              Run <code>gnaw fuzz -cover</code> or <code>gnaw cover</code> again.
            </p>
          )}
          {page.data.total > page.data.branches.length && (
            <p>
              These are the first {exact(page.data.branches.length)} of {exact(page.data.total)} branches.
            </p>
          )}
          <Table
            caption="Branches with a side that no input takes"
            columns={list}
            rows={rows}
            id={(b) => `${b.file}:${b.line}:${b.column} ${b.sentence}`}
            order={{ by: "rank", down: false }}
            text={(b) => `${b.file} ${b.function} ${b.sentence} ${b.targets.join(" ")}`}
            empty={page.data.changed_total > 0 ? "In the files that were not changed, no branch has a side that no input takes." : "No branch has a side that no input takes."}
            testid="frontier"
          />
        </>
      ) : (
        <Pending error={page.error} />
      )}
    </>
  );
}
