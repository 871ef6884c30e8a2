// The source browser: files with their coverage, and one file with its lines.

import { Component } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { keyOf, targetOf, type Branch, type LineEntry, type SourceFile, type SourceLine, type SourceList, type SourcePage as Page } from "../api";
import { Heading } from "../parts/layout";
import { Meter } from "../parts/spark";
import { Table, type Column } from "../parts/table";
import { Badge, Code, Command, Pending, Text } from "../parts/text";
import { next, runs } from "../lib/branches";
import { count, exact, packageName, percent, plural } from "../lib/format";
import { cut, visible } from "../lib/text";
import { link, usePlace } from "../router";
import { useCampaign, useQuery } from "../store";
import { campaignCrumbs } from "./campaign";
import { TargetHeading } from "./target";

function fileColumns(id: string, target: string | null, module: string | undefined): Column<SourceFile>[] {
  return [
    {
      id: "file",
      title: "File",
      head: true,
      grow: true,
      class: "path",
      value: (f) => f.file,
      cell: (f) => (
        <a href={link(["campaigns", id, "source"], { file: f.file, target })} class="code" data-testid="source-link">
          <Text of={packageName(f.file, module)} limit={200} />
        </a>
      ),
    },
    { id: "package", title: "Package", class: "path", value: (f) => f.package, cell: (f) => <Code of={packageName(f.package, module)} limit={100} /> },
    { id: "uncovered", title: "Uncovered", number: true, down: true, value: (f) => f.statements - f.covered, cell: (f) => exact(f.statements - f.covered) },
    { id: "statements", title: "Statements", number: true, down: true, value: (f) => f.statements, cell: (f) => exact(f.statements) },
    {
      id: "covered",
      title: "Covered",
      number: true,
      down: true,
      value: (f) => (f.statements ? f.covered / f.statements : null),
      cell: (f) => (
        <span class="with-meter" title={`${exact(f.covered)} of ${exact(f.statements)}`}>
          {percent(f.covered, f.statements)}
          <Meter part={f.covered} whole={f.statements} tone="good" />
        </span>
      ),
    },
    { id: "branches", title: "Branches", help: "Branches with a side that no input takes", number: true, down: true, value: (f) => f.branches, cell: (f) => exact(f.branches) },
  ];
}

export function SourcesPage({ id }: { id: string }) {
  const { query } = usePlace();
  const target = query.get("target");
  const campaign = useCampaign(id);
  const running = campaign.data?.campaign.state === "running";
  const sources = useQuery<SourceList>(link(["api", "sources"], { campaign: id, target }), running ? 5000 : 0);
  const module = campaign.data?.campaign.module;
  const columns = useMemo(() => fileColumns(id, target, module), [id, target, module]);
  const row = campaign.data?.targets.find((t) => keyOf(t) === target);
  return (
    <>
      {target ? (
        <TargetHeading id={id} target={target} current="sources" row={row} />
      ) : (
        <Heading crumbs={campaignCrumbs(id)} title="Sources" sub="Statements that entries of all targets reach" />
      )}
      {sources.data ? (
        <Table
          caption="Source files"
          columns={columns}
          rows={sources.data.files}
          id={(f) => f.file}
          order={{ by: "uncovered", down: true }}
          text={(f) => `${f.file} ${f.package}`}
          empty={
            <>
              It is not known which statements are reached. Run <code>gnaw fuzz -cover</code> or <code>gnaw cover</code>.
            </>
          }
          testid="sources"
        />
      ) : (
        <Pending error={sources.error} />
      )}
    </>
  );
}

/** The number of lines that are drawn at once. A long file is drawn block by block, so that the page answers meanwhile. */
const blockSize = 400;

export function SourcePage({ id }: { id: string }) {
  const { query } = usePlace();
  const file = query.get("file") ?? "";
  const target = query.get("target");
  const campaign = useCampaign(id);
  const running = campaign.data?.campaign.state === "running";
  const page = useQuery<Page>(link(["api", "sources", "file"], { campaign: id, file, target }), running ? 5000 : 0);
  const [open, setOpen] = useState("");
  const lines = page.data?.lines ?? [];
  const numbers = useMemo(() => tally(lines), [lines]);
  const blocks = useMemo(() => {
    const list: SourceLine[][] = [];
    for (let i = 0; i < lines.length; i += blockSize) list.push(lines.slice(i, i + blockSize));
    return list;
  }, [lines]);
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn >= blocks.length) return;
    const t = setTimeout(() => setDrawn(drawn + 1));
    return () => clearTimeout(t);
  }, [drawn, blocks.length]);
  const jumped = useRef(false);
  const complete = lines.length > 0 && drawn >= blocks.length;
  useEffect(() => {
    if (complete && !jumped.current) {
      jumped.current = true;
      const n = /^#L(\d+)$/.exec(location.hash)?.[1];
      if (n) document.getElementById(`L${n}`)?.scrollIntoView({ block: "center" });
    }
  }, [complete]);
  const toggle = useCallback((what: string) => setOpen((old) => (old === what ? "" : what)), []);
  const name = target ? targetOf(target) : null;
  return (
    <>
      <Heading
        crumbs={[
          ...campaignCrumbs(id),
          ...(name && target ? [{ text: name.target, href: link(["campaigns", id, "targets", target]) }] : []),
          { text: "Sources", href: link(["campaigns", id, "sources"], { target }) },
        ]}
        title={packageName(file, campaign.data?.campaign.module)}
        code
      />
      {page.data ? (
        <>
          <div class="tools sticky" role="group" aria-label="Places in the file">
            <Jump starts={numbers.gaps} what="uncovered" title="uncovered lines" to=".gutter a" />
            <Jump starts={numbers.branches} what="branch" title="line with a branch" to=".mark" />
            <span class="legend">
              <Badge tone="good">{plural(numbers.covered, "line")} reached</Badge> <Badge tone="bad">{exact(numbers.uncovered)} not</Badge>{" "}
              {numbers.branches.length > 0 && (
                <Badge tone="warn" title="Lines with a branch with a side that no input takes">
                  ◆ {plural(numbers.branches.length, "line")} with a branch
                </Badge>
              )}
            </span>
          </div>
          {page.data.changed && (
            <p data-testid="source-changed">
              The file was changed after its statements were counted. The marks of lines may be wrong, and branches with a side that no input takes are not shown. Run{" "}
              <code>gnaw fuzz -cover</code> or <code>gnaw cover</code> again.
            </p>
          )}
          <div class="source-scroll" tabIndex={0} role="region" aria-label={`Source of ${file}`}>
            <table class="source-lines">
              <caption class="sr-only">Lines with how often entries reach them</caption>
              <thead class="sr-only">
                <tr>
                  <th scope="col">Line</th>
                  <th scope="col">Reached</th>
                  <th scope="col">Source</th>
                </tr>
              </thead>
              {blocks.slice(0, drawn).map((block) => (
                <tbody>
                  {block.map((l) => (
                    <Line key={l.n} l={l} open={open === `entry${l.n}` || open === `branch${l.n}` ? open : ""} toggle={toggle} id={id} />
                  ))}
                </tbody>
              ))}
            </table>
          </div>
        </>
      ) : (
        <Pending error={page.error} />
      )}
    </>
  );
}

function tally(lines: readonly SourceLine[]) {
  const of = (state: SourceLine["state"]) => lines.filter((l) => l.state === state).length;
  const gaps = runs(lines, (l) => l.state === "uncovered");
  return { covered: of("covered"), uncovered: of("uncovered"), gaps, branches: lines.filter((l) => l.branches?.length).map((l) => l.n) };
}

const stateNames = { "": "", covered: "reached", uncovered: "not reached" };

interface LineProps {
  l: SourceLine;
  open: string; // entry or branch, with the number of the line; empty: nothing is open
  toggle: (what: string) => void;
  id: string;
}

/** Line draws a line again only if it has changed, because the page fetches the file again every few seconds. */
class Line extends Component<LineProps> {
  override shouldComponentUpdate(next: LineProps): boolean {
    const { l, open, id } = this.props;
    return open !== next.open || id !== next.id || JSON.stringify(l) !== JSON.stringify(next.l);
  }

  override render() {
    return <LineRows {...this.props} />;
  }
}

function LineRows({ l, open, toggle, id }: LineProps) {
  const { state, branches = [] } = l;
  const [entry, branch] = [`entry${l.n}`, `branch${l.n}`];
  return (
    <>
      <tr id={`L${l.n}`} class={`source-line ${state}${branches.length > 0 ? " branch" : ""}`} data-testid={`line-${l.n}`} data-state={state}>
        <th scope="row" class="gutter">
          {branches.length > 0 && (
            <button
              type="button"
              class="mark"
              aria-expanded={open === branch}
              aria-label={`branch in line ${l.n}: ${visible(cut(branches.map((b) => b.sentence).join("; "), 400))}`}
              title={visible(cut(branches.map((b) => b.sentence).join("\n"), 400))}
              onClick={() => toggle(branch)}
              data-testid={`mark-${l.n}`}
            >
              ◆
            </button>
          )}
          <a href={`#L${l.n}`} aria-label={`Line ${l.n}`}>
            {l.n}
          </a>
        </th>
        <td class="hits">
          {state && <span class="sr-only">{stateNames[state]}</span>}
          {l.entry ? (
            <button type="button" aria-expanded={open === entry} onClick={() => toggle(entry)} title="The entry that reaches the line" data-testid={`hits-${l.n}`}>
              {count(l.count)}×
            </button>
          ) : l.count > 0 ? (
            `${count(l.count)}×`
          ) : state === "uncovered" ? (
            <span aria-hidden="true">–</span>
          ) : (
            ""
          )}
        </td>
        <td class="text">
          <Text of={l.text} limit={5000} />
        </td>
      </tr>
      {open === branch && branches.length > 0 && (
        <tr class="below">
          <td colSpan={3}>
            <span class="remark">
              {branches.map((b) => (
                <BranchOf key={b.sentence} b={b} />
              ))}
            </span>
          </td>
        </tr>
      )}
      {open === entry && l.entry && (
        <tr class="below">
          <td colSpan={2} />
          <td>
            <span class="remark">
              <EntryOf e={l.entry} id={id} />
            </span>
          </td>
        </tr>
      )}
    </>
  );
}

function BranchOf({ b }: { b: Branch }) {
  return (
    <div class="branch-of" data-testid="line-branch">
      <Code of={b.sentence} limit={400} />
      {b.details.map((line) => (
        <p key={line}>
          <Text of={line} limit={400} />
        </p>
      ))}
      <Command label="What would help" text={b.command} id="frontier" />
    </div>
  );
}

function EntryOf({ e, id }: { e: LineEntry; id: string }) {
  const text = e.literals.join(", ") || e.name;
  return (
    <span data-testid="line-entry">
      reached by{" "}
      {e.literals.length > 0 ? (
        <a href={link(["campaigns", id, "targets", e.key, "entries", e.name])} class="code">
          <Text of={text} limit={400} />
        </a>
      ) : (
        <Code of={text} limit={400} />
      )}
      {e.target && (
        <span class="muted">
          {" "}
          of <Code of={e.target} limit={100} />
        </span>
      )}
    </span>
  );
}

/** Jump goes to the next or the previous of some lines, and puts the focus on an element of it. */
function Jump({ starts, what, title, to }: { starts: readonly number[]; what: string; title: string; to: string }) {
  const at = useRef(0);
  const jump = (step: 1 | -1) => {
    const n = next(starts, at.current, step);
    if (n === undefined) return;
    at.current = n;
    const row = document.getElementById(`L${n}`);
    row?.scrollIntoView({ block: "center" });
    row?.querySelector<HTMLElement>(to)?.focus({ preventScroll: true });
  };
  return (
    <span class="jump">
      <button type="button" disabled={starts.length === 0} onClick={() => jump(-1)} aria-label={`Previous ${title}`} data-testid={`previous-${what}`}>
        ↑
      </button>
      <button type="button" disabled={starts.length === 0} onClick={() => jump(1)} aria-label={`Next ${title}`} data-testid={`next-${what}`}>
        ↓ {what}
      </button>
    </span>
  );
}
