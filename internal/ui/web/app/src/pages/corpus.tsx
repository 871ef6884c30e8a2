// The corpus of a target, and one entry of it.

import { useEffect, useMemo, useState } from "preact/hooks";
import { keyOf, targetOf, type CorpusPage as Data, type EntryPage as Entry } from "../api";
import { ArgumentView } from "../parts/bytes";
import { EntryTable } from "../parts/entries";
import { Heading, Panel } from "../parts/layout";
import { Pages } from "../parts/table";
import { Code, Copy, Empty, Pending, Text } from "../parts/text";
import { bytes, exact, packageName, plural } from "../lib/format";
import { link, setQuery, usePlace } from "../router";
import { useCampaign, useConnection, useQuery } from "../store";
import { campaignCrumbs } from "./campaign";
import { TargetHeading } from "./target";

const size = 100;

export function CorpusPage({ id, target }: { id: string; target: string }) {
  const campaign = useCampaign(id);
  const running = campaign.data?.campaign.state === "running";
  const { query } = usePlace();
  const q = query.get("q") ?? "";
  const number = Math.max(0, Number(query.get("page") ?? 1) - 1 || 0);
  const text = useSettled(q);
  const corpus = useQuery<Data>(link(["api", "campaigns", id, "targets", target, "corpus"], { offset: number * size, limit: size, q: text }), running ? 5000 : 0);
  const data = corpus.data;
  const pages = data ? Math.max(1, Math.ceil(data.total / size)) : 1;
  const row = campaign.data?.targets.find((t) => keyOf(t) === target);
  return (
    <>
      <TargetHeading id={id} target={target} current="corpus" row={row} />
      <div class="tools">
        <label class="filter">
          <span class="sr-only">Filter the entries</span>
          <input type="search" placeholder="Filter" value={q} onInput={(e) => setQuery({ q: e.currentTarget.value, page: null })} data-testid="corpus-filter" />
        </label>
        <span class="muted" role="status">
          {data ? plural(data.total, "entry", "entries") : ""}
        </span>
      </div>
      {data ? (
        <>
          <EntryTable rows={data.entries} id={id} target={target} whole empty={q ? "No entry contains this text." : "The corpus is empty."} />
          {pages > 1 && (
            <Pages
              number={number}
              pages={pages}
              from={data.entries.length === 0 ? 0 : number * size + 1}
              to={number * size + data.entries.length}
              total={data.total}
              show={(n) => setQuery({ page: n === 0 ? null : String(n + 1) })}
            />
          )}
        </>
      ) : (
        <Pending error={corpus.error} />
      )}
    </>
  );
}

/** useSettled returns a value when it has not changed for a moment, so that not each key sends a request. */
function useSettled(value: string): string {
  const [settled, set] = useState(value);
  useEffect(() => {
    const t = setTimeout(() => set(value), 250);
    return () => clearTimeout(t);
  }, [value]);
  return settled;
}

export function EntryPage({ id, target, name }: { id: string; target: string; name: string }) {
  const query = useQuery<Entry>(link(["api", "entries", target, name], { campaign: id }));
  const { info } = useConnection();
  const e = query.data;
  const t = targetOf(target);
  return (
    <>
      <Heading
        crumbs={[...campaignCrumbs(id), { text: t.target || "target", href: link(["campaigns", id, "targets", target]) }, { text: "Corpus", href: link(["campaigns", id, "targets", target, "corpus"]) }]}
        title={`Entry ${name.slice(0, 16)}`}
        sub={
          e && (
            <>
              {bytes(e.size)} ·{" "}
              {e.path ? (
                <>
                  <Code of={e.path} limit={400} /> <Copy text={e.path} what="the path of the file" id="path" />
                </>
              ) : name.startsWith("seed#") ? (
                "an input of F.Add"
              ) : (
                "its file is not there any more"
              )}
            </>
          )
        }
      />
      {e ? (
        <>
          <Panel title="Input" id="input">
            {e.args.length === 0 ? <Empty>The entry has no arguments.</Empty> : e.args.map((a, i) => <ArgumentView arg={a} number={i} />)}
          </Panel>
          <Panel title="Lines that it reaches" id="lines">
            <Lines e={e} id={id} target={target} module={info?.module} />
          </Panel>
        </>
      ) : (
        <Pending error={query.error} />
      )}
    </>
  );
}

function Lines({ e, id, target, module }: { e: Entry; id: string; target: string; module: string | undefined }) {
  const files = useMemo(() => {
    const map = new Map<string, Entry["lines"]>();
    for (const l of e.lines) {
      const list = map.get(l.file);
      if (list) list.push(l);
      else map.set(l.file, [l]);
    }
    return [...map].sort((a, b) => b[1].length - a[1].length);
  }, [e.lines]);
  if (files.length === 0) return <Empty>It is not known which lines the entry reaches. Fuzz with -cover, or run gnaw cover.</Empty>;
  return (
    <ul class="files">
      {files.map(([file, lines]) => {
        const sorted = [...lines].sort((a, b) => a.line - b.line);
        return (
          <li>
            <a href={link(["campaigns", id, "source"], { file, target }) + `#L${sorted[0]?.line ?? 1}`} class="code">
              <Text of={packageName(file, module)} limit={200} />
            </a>{" "}
            <span class="muted">
              {exact(lines.length)} {lines.length === 1 ? "line" : "lines"}: {ranges(sorted.map((l) => l.line)).slice(0, 30).join(", ")}
              {ranges(sorted.map((l) => l.line)).length > 30 ? ", …" : ""}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** ranges returns numbers that are in order as "3–5", "9". */
function ranges(list: readonly number[]): string[] {
  const out: string[] = [];
  let from = list[0];
  list.forEach((n, i) => {
    const next = list[i + 1];
    if (next !== undefined && next <= n + 1) return;
    out.push(from === n || from === undefined ? String(n) : `${from}–${n}`);
    from = next;
  });
  return out;
}
