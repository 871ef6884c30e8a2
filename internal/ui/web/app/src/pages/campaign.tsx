// A campaign: its targets, findings, workers and builds, and log. The pages of its parts are below its heading.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, keyOf, post, type Action, type CampaignPage as Data, type Doing, type Phase, type Sparks, type TargetRow } from "../api";
import { Figures, Heading, Panel, Tabs, type Crumb } from "../parts/layout";
import { Meter, Spark } from "../parts/spark";
import { Table, type Column } from "../parts/table";
import { Ago, Badge, Code, Count, Empty, Pending, Text, type Tone } from "../parts/text";
import { FindingTable } from "../parts/findings";
import { clock, absolute, count, duration, exact, packageName, percent, plural, rate } from "../lib/format";
import { whyEmpty } from "../lib/log";
import { matches } from "../lib/sort";
import { link, setQuery, usePlace } from "../router";
import { useCampaign, useConnection, useQuery } from "../store";
import { CampaignBadge, commandOf } from "./campaigns";

/** campaignCrumbs returns the links from the list of campaigns to the page of a campaign. */
export function campaignCrumbs(id: string): Crumb[] {
  return [
    { text: "Campaigns", href: "/campaigns" },
    { text: `Campaign ${id}`, href: link(["campaigns", id]) },
  ];
}

export function CampaignPage({ id, part }: { id: string; part: string }) {
  const query = useCampaign(id);
  const data = query.data;
  if (!data) {
    return (
      <>
        <Heading crumbs={[{ text: "Campaigns", href: "/campaigns" }]} title={`Campaign ${id}`} />
        <Pending error={query.error} />
      </>
    );
  }
  const c = data.campaign;
  const bugs = data.findings.filter((f) => f.counts).length;
  return (
    <>
      <Heading
        crumbs={[{ text: "Campaigns", href: "/campaigns" }]}
        title={`Campaign ${c.id}`}
        sub={
          <>
            <Code of={c.module} limit={200} /> <Text of={commandOf(c)} limit={300} />
            {c.go && <> · {c.go}</>}
            {c.commit && <> · commit <Code of={c.commit.slice(0, 12)} /></>} · started <Ago at={c.started} />
          </>
        }
      >
        <CampaignBadge c={c} paused={data.paused} />
        <Control data={data} reload={query.reload} />
      </Heading>
      <Totals data={data} />
      <Tabs
        label="Parts of the campaign"
        current={part}
        list={[
          { id: "targets", title: "Targets", href: link(["campaigns", id]), count: data.targets.length },
          { id: "findings", title: "Findings", href: link(["campaigns", id, "findings"]), count: bugs },
          { id: "sources", title: "Sources", href: link(["campaigns", id, "sources"]) },
          { id: "frontier", title: "Frontier", href: link(["campaigns", id, "frontier"]) },
          { id: "activity", title: "Workers and builds", href: link(["campaigns", id, "activity"]) },
          { id: "log", title: "Log", href: link(["campaigns", id, "log"]) },
        ]}
      />
      {part === "targets" && <Building data={data} />}
      {part === "targets" && <Targets data={data} id={id} />}
      {part === "findings" && (
        <FindingTable
          rows={data.findings}
          module={c.module}
          empty={c.state === "running" ? "No findings until now." : "The campaign has no findings."}
        />
      )}
      {part === "activity" && <Activity data={data} id={id} />}
      {part === "log" && <Log data={data} />}
      <NewFindings n={bugs} />
    </>
  );
}

/** NewFindings tells screen readers about findings that come while the page is open. */
function NewFindings({ n }: { n: number }) {
  const before = useRef(n);
  const [text, set] = useState("");
  useEffect(() => {
    if (n > before.current) set(`${plural(n - before.current, "new finding")}`);
    before.current = n;
  }, [n]);
  return (
    <div class="sr-only" role="status">
      {text}
    </div>
  );
}

/** left says how much time a campaign that runs has left. Without seconds_left it has no limit, or no time is left. */
function left(t: Data["totals"]): string {
  if (t?.seconds_left) return `${duration(t.seconds_left)} left`;
  return t?.last ? "fuzzing is over" : "no limit";
}

function Totals({ data }: { data: Data }) {
  const { campaign: c, totals: t } = data;
  const running = c.state === "running";
  const execs = t?.execs ?? c.execs;
  const seconds = t?.seconds ?? c.seconds;
  const covered = t?.covered_statements ?? c.covered;
  const statements = t?.statements ?? c.statements;
  const findings = t?.findings ?? c.findings;
  const perSecond = t ? t.execs_per_second : seconds > 0 ? execs / seconds : null;
  return (
    <Figures
      list={[
        {
          id: "time",
          label: "Time",
          value: duration(seconds),
          note: running ? left(t) : data.end ? `exit code ${data.end.exit_code}` : undefined,
        },
        { id: "execs", label: "Executions", value: <Count of={execs} />, note: `${rate(perSecond)}/s` },
        { id: "edges", label: "Edges", value: <Count of={t?.edges ?? c.edges} /> },
        statements ? { id: "statements", label: "Statements", value: percent(covered, statements), note: `${exact(covered)} of ${exact(statements)}` } : null,
        { id: "entries", label: "Corpus entries", value: <Count of={t?.entries ?? c.entries} /> },
        { id: "findings", label: "Findings", value: exact(findings), ...(findings > 0 ? { tone: "bad" as const } : {}) },
        { id: "targets", label: "Targets", value: exact(t?.targets ?? data.targets.length), note: `${exact(t?.targets_begun ?? c.targets)} begun` },
      ]}
    />
  );
}

/** Building lists the test binaries that are being built. At first nothing else happens. */
function Building({ data }: { data: Data }) {
  const open = data.builds.filter((b) => !b.done && !b.error);
  if (data.campaign.state !== "running" || open.length === 0) return null;
  const names = open.map((b) => packageName(b.package, data.campaign.module));
  return (
    <p class="now" data-testid="building">
      <Badge tone="accent">building</Badge> <Code of={names.slice(0, 5).join(", ")} limit={300} />
      {names.length > 5 && ` and ${names.length - 5} more`}
      <span class="muted">; {plural(data.builds.length - open.length, "test binary is built", "test binaries are built")}</span>
    </p>
  );
}

/** Control has the buttons that control a campaign, if it runs and the server allows them. */
function Control({ data, reload }: { data: Data; reload: () => void }) {
  const { info } = useConnection();
  const [asking, ask] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (!info?.control || data.campaign.state !== "running") return null;
  const act = (action: Action) => {
    setBusy(true);
    post("/api/control", { action, csrf: info.csrf })
      .then(
        () => {
          setError(null);
          reload();
        },
        (e: unknown) => setError(e instanceof ApiError ? e.message : String(e)),
      )
      .finally(() => {
        setBusy(false);
        ask(false);
      });
  };
  return (
    <span class="control-buttons" role="group" aria-label="Control of the campaign">
      {asking ? (
        <>
          <span>Stop the campaign?</span>
          <button type="button" class="danger" disabled={busy} onClick={() => act("stop")} data-testid="control-stop-yes">
            Stop
          </button>
          <button type="button" onClick={() => ask(false)}>
            Keep running
          </button>
        </>
      ) : (
        <>
          {data.paused || data.pausing ? (
            <button type="button" disabled={busy} onClick={() => act("resume")} data-testid="control-resume">
              Resume
            </button>
          ) : (
            <button type="button" disabled={busy} onClick={() => act("pause")} data-testid="control-pause">
              Pause
            </button>
          )}
          <button type="button" disabled={busy} onClick={() => ask(true)} data-testid="control-stop">
            Stop
          </button>
          {data.pausing && !data.paused && <span class="muted">Pausing…</span>}
        </>
      )}
      {error && (
        <span class="problem" role="alert">
          <Text of={error} />
        </span>
      )}
    </span>
  );
}

const tones: Record<Phase, Tone> = { fuzzing: "accent", minimizing: "accent", warming: "accent", loading: "accent", starting: "accent", building: "accent", "set aside": "warn", skipped: "warn", fails: "bad", unreached: "warn", ended: "plain", paused: "plain", quiet: "plain", waiting: "plain" };
const ranks: Phase[] = ["fuzzing", "minimizing", "warming", "loading", "starting", "building", "paused", "waiting", "quiet", "ended", "set aside", "skipped", "fails", "unreached"];

const stateHelp: Record<Phase, string> = {
  waiting: "It has had no turn yet",
  building: "Its test binary is being built",
  starting: "Its processes start, and none has reached F.Fuzz",
  loading: "Its corpus is read",
  warming: "Its seeds and cached entries are executed once",
  fuzzing: "It is being fuzzed",
  minimizing: "A failing input is made smaller",
  paused: "Other targets have their turn",
  quiet: "No new edge is expected",
  "set aside": "gnaw cannot fuzz it",
  skipped: "It calls f.Skip",
  fails: "Plain go test of it fails, and no finding is the reason",
  unreached: "The campaign ended before all its seeds were executed",
  ended: "It gets no more turns",
};

export function TargetBadge({ t }: { t: TargetRow }) {
  const progress = t.state === "warming" && t.warm_total ? ` ${count(t.warm_done)}/${count(t.warm_total)}` : "";
  return (
    <Badge tone={tones[t.state] ?? "plain" /* a campaign of another version of gnaw may have other states */} title={[stateHelp[t.state], t.reason].filter(Boolean).join(": ")}>
      {t.state}
      {progress}
    </Badge>
  );
}

function targetColumns(id: string, module: string, cover: boolean, checked: boolean, sparks: Sparks["sparks"]): Column<TargetRow>[] {
  const list: (Column<TargetRow> | null)[] = [
    {
      id: "name",
      title: "Target",
      head: true,
      grow: true,
      class: "path",
      value: (t) => `${t.target} ${t.package}`,
      cell: (t) => (
        <>
          <a href={link(["campaigns", id, "targets", keyOf(t)])} class="code" data-testid="target-link">
            <Text of={t.target || "(package)"} limit={80} />
          </a>{" "}
          <span class="muted">
            <Text of={packageName(t.package, module)} limit={100} />
          </span>
        </>
      ),
    },
    { id: "state", title: "State", value: (t) => ranks.indexOf(t.state), cell: (t) => <TargetBadge t={t} /> },
    { id: "spark", title: "New edges", help: "New edges over time, the newest on the right", down: true, value: (t) => (sparks[keyOf(t)] ?? []).slice(-10).reduce((a, b) => a + b, 0), cell: (t) => <Spark of={sparks[keyOf(t)]} /> },
    { id: "rate", title: "Execs/s", help: "Executions per second in the last seconds; of a target that has ended, the mean of its turns", number: true, down: true, value: (t) => t.rate, cell: (t) => rate(t.rate) },
    { id: "execs", title: "Executions", number: true, down: true, value: (t) => t.execs, cell: (t) => <Count of={t.execs} /> },
    { id: "edges", title: "Edges", number: true, down: true, value: (t) => t.edges, cell: (t) => <Count of={t.edges} /> },
    cover
      ? {
          id: "covered",
          title: "Statements",
          number: true,
          down: true,
          value: (t) => (t.statements ? (t.covered_statements ?? 0) / t.statements : null),
          cell: (t) =>
            t.statements ? (
              <span class="with-meter" title={`${exact(t.covered_statements)} of ${exact(t.statements)}`}>
                {percent(t.covered_statements, t.statements)}
                <Meter part={t.covered_statements ?? 0} whole={t.statements} tone="good" />
              </span>
            ) : (
              "–"
            ),
        }
      : null,
    { id: "entries", title: "Entries", number: true, down: true, value: (t) => t.entries, cell: (t) => <Count of={t.entries} /> },
    checked
      ? {
          id: "stability",
          title: "Stability",
          help: "Repeated executions that reached the same again",
          number: true,
          value: (t) => (t.rerun_entries ? t.repeated_entries / t.rerun_entries : null),
          cell: (t) => percent(t.repeated_entries, t.rerun_entries),
        }
      : null,
    {
      id: "share",
      title: "Share",
      help: "Of the time of all workers",
      number: true,
      down: true,
      value: (t) => t.share,
      cell: (t) => (!t.share ? "–" : `${(t.share * 100).toFixed(t.share < 0.0995 ? 1 : 0)} %`),
    },
    {
      id: "idle",
      title: "Last edge",
      help: "Time since the last new edge",
      number: true,
      value: (t) => t.seconds_since_edge || null, // the history does not have it
      cell: (t) => (t.execs > 0 && t.seconds_since_edge ? duration(t.seconds_since_edge) : "–"),
    },
    {
      id: "findings",
      title: "Findings",
      number: true,
      down: true,
      value: (t) => t.bugs,
      cell: (t) => (t.bugs ? <Badge tone="bad">{t.bugs}</Badge> : "0"),
    },
  ];
  return list.filter((c) => c !== null);
}

/** Milliseconds between two requests for the new edges over time; a campaign records its points that often. */
const sparksEvery = 10_000;

function Targets({ data, id }: { data: Data; id: string }) {
  const { query } = usePlace();
  const module = data.campaign.module;
  const cover = data.targets.some((t) => t.statements);
  const checked = data.targets.some((t) => t.rerun_entries);
  const lines = useQuery<Sparks>(link(["api", "campaigns", id, "sparks"]), data.campaign.state === "running" ? sparksEvery : 0).data;
  const columns = useMemo(() => targetColumns(id, module, cover, checked, lines?.sparks ?? {}), [id, module, cover, checked, lines]);
  const state = query.get("state") ?? "";
  const states = useMemo(() => {
    const n = new Map<string, number>();
    for (const t of data.targets) n.set(t.state, (n.get(t.state) ?? 0) + 1);
    return ranks.filter((s) => n.has(s)).map((s) => ({ s, n: n.get(s) ?? 0 }));
  }, [data.targets]);
  const rows = useMemo(() => (state ? data.targets.filter((t) => t.state === state) : data.targets), [data.targets, state]);
  return (
    <Table
      caption="Targets"
      columns={columns}
      rows={rows}
      id={(t) => keyOf(t)}
      order={{ by: "name", down: false }}
      text={(t) => `${t.target} ${t.package} ${t.state}`}
      tools={
        <label class="choice">
          <span>State</span>
          <select value={state} onChange={(e) => setQuery({ state: e.currentTarget.value, page: null })} data-testid="targets-state">
            <option value="">all</option>
            {states.map(({ s, n }) => (
              <option value={s}>
                {s} ({n})
              </option>
            ))}
            {state && !states.some((x) => x.s === state) && <option value={state}>{state} (0)</option>}
          </select>
        </label>
      }
      empty={state ? "No target is in this state." : "The campaign has not listed its targets yet."}
      testid="targets"
    />
  );
}

const doing: Record<Doing, string> = { idle: "idle", fuzz: "fuzzes", "warm-up": "executes seeds", minimize: "minimizes" };

function Activity({ data, id }: { data: Data; id: string }) {
  const module = data.campaign.module;
  const open = data.builds.filter((b) => !b.done);
  const failed = data.builds.filter((b) => b.error);
  return (
    <div class="columns">
      <Panel title="Workers" id="workers" note={data.workers.length > 0 ? `${data.workers.filter((w) => w.doing !== "idle").length} of ${data.workers.length} busy` : ""}>
        {data.workers.length === 0 ? (
          <Empty>{data.campaign.state === "running" ? "No workers yet: the first test binary is being built." : "The campaign is over; it has no workers."}</Empty>
        ) : (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col" class="number">#</th>
                  <th scope="col">Does</th>
                  <th scope="col" class="grow">Target</th>
                  <th scope="col" class="number">For</th>
                </tr>
              </thead>
              <tbody>
                {data.workers.map((w) => (
                  <tr key={w.number}>
                    <th scope="row" class="number">{w.number + 1}</th>
                    <td>{w.doing === "idle" ? <span class="muted">idle</span> : (doing[w.doing] ?? <Text of={w.doing} />)}</td>
                    <td class="path">
                      {w.target.target ? (
                        <a href={link(["campaigns", id, "targets", keyOf(w.target)])} class="code">
                          <Text of={w.target.target} limit={80} />
                        </a>
                      ) : (
                        <span class="muted">–</span>
                      )}
                    </td>
                    <td class="number">{duration(w.since)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Panel>
      <Panel title="Builds" id="builds" note={data.builds.length > 0 ? `${data.builds.length - open.length} of ${data.builds.length} done${failed.length > 0 ? `, ${failed.length} failed` : ""}` : ""}>
        {data.builds.length === 0 ? (
          <Empty>No builds are known.</Empty>
        ) : (
          <ul class="builds">
            {[...failed, ...open, ...data.builds.filter((b) => b.done && !b.error)].slice(0, 200).map((b) => (
              <li>
                <Badge tone={b.error ? "bad" : b.done ? "good" : "accent"}>{b.error ? "failed" : b.done ? "built" : "building"}</Badge>{" "}
                <Code of={packageName(b.package, module)} limit={120} />
                {b.race && <span class="muted"> with the race detector</span>}
                {b.error && (
                  <pre class="block wrap" tabIndex={0}>
                    <Text of={b.error} limit={4000} />
                  </pre>
                )}
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

const logTones: Record<string, Tone> = { finding: "bad", warning: "warn", aside: "warn", skipped: "warn", seed_failed: "bad", over_limit: "warn" };

function Log({ data }: { data: Data }) {
  const { query } = usePlace();
  const filter = query.get("q") ?? "";
  const rows = useMemo(() => data.log.filter((l) => matches(`${l.event} ${l.target} ${l.text}`, filter)).reverse(), [data.log, filter]);
  return (
    <div data-testid="log">
      <div class="tools">
        <label class="filter">
          <span class="sr-only">Filter the log</span>
          <input type="search" placeholder="Filter" value={filter} onInput={(e) => setQuery({ q: e.currentTarget.value })} data-testid="log-filter" />
        </label>
        {data.log.length > 0 && <span class="muted">the newest first; the latest {plural(data.log.length, "entry", "entries")}</span>}
      </div>
      {rows.length === 0 ? (
        <Empty>{whyEmpty(data.log, data.campaign.state)}</Empty>
      ) : (
        <ol class="log">
          {rows.map((l) => (
            <li data-testid="log-row">
              <time dateTime={l.at} title={absolute(l.at)}>
                {clock(l.at)}
              </time>{" "}
              <Badge tone={logTones[l.event] ?? "plain"}>
                <Text of={l.event.replaceAll("_", " ")} limit={20} />
              </Badge>{" "}
              <span class="log-text">
                {l.target && (
                  <>
                    <Code of={l.target} limit={100} />{" "}
                  </>
                )}
                <Text of={l.text} limit={1000} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
