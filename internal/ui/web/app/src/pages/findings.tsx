import { useState } from "preact/hooks";
import { ApiError, post, type Argument, type Finding, type FindingList, type Frame } from "../api";
import { ArgumentView, MatterLegend } from "../parts/bytes";
import { FindingTable, title } from "../parts/findings";
import { Heading, Panel } from "../parts/layout";
import { Ago, Badge, Code, Command, Copy, Empty, Pending, Standing, Text } from "../parts/text";
import { bytes, duration, plural } from "../lib/format";
import { useConnection, useQuery } from "../store";

export function FindingsPage() {
  const query = useQuery<FindingList>("/api/findings", 5000);
  const { info } = useConnection();
  return (
    <>
      <Heading title="Findings" />
      {query.data ? (
        <FindingTable rows={query.data.findings} module={info?.module} empty="gnaw has found nothing yet." />
      ) : (
        <Pending error={query.error} />
      )}
    </>
  );
}

export function FindingPage({ id }: { id: string }) {
  const query = useQuery<Finding>(`/api/findings/${encodeURIComponent(id)}`, 15000);
  const f = query.data;
  if (!f) {
    return (
      <>
        <Heading crumbs={[{ text: "Findings", href: "/findings" }]} title={`Finding ${id.slice(0, 16)}`} />
        <Pending error={query.error} />
      </>
    );
  }
  // Another version of gnaw may have written an input that this one cannot read.
  const args: Argument[] = f.args.length > 0 ? f.args : (f.literals ?? []).map((literal) => ({ kind: "", literal, hex: "" }));
  return (
    <>
      <Heading
        crumbs={[{ text: "Findings", href: "/findings" }]}
        title={title(f).slice(0, 300)}
        sub={
          <>
            <Code of={f.target} limit={100} /> in <Code of={f.package} limit={200} />
            {f.place && (
              <>
                {" "}
                · <Code of={f.place} limit={200} />
              </>
            )}
          </>
        }
      >
        <Standing f={{ known: f.known ?? null, flaky: f.flaky, counts: f.counts }} />
        <Badge>{f.kind}</Badge>
        <Code of={f.short_id} />
      </Heading>
      {f.unreadable && (
        <p class="problem">
          This version of gnaw cannot read all of the finding: <Text of={f.unreadable} />
        </p>
      )}
      <div class="columns wide-first">
        <div>
          <Panel title="Where it fails" id="stack">
            <Stack frames={f.source} />
          </Panel>
          <Panel title="Input" id="input">
            {args.map((a, i) => (
              <ArgumentView arg={a} number={i} matter={f.matter?.[i]} />
            ))}
            {args.length > 0 ? <MatterLegend list={f.matter} /> : <Empty>The input is not known.</Empty>}
          </Panel>
        </div>
        <div>
          <Panel title="What to do" id="commands">
            <Command label="Run it again" text={f.commands.rerun} id="rerun" />
            <Command label="Write a regression test" text={f.commands.regress} id="regress" />
            <Command label="Stop reporting it" text={f.commands.known} id="known" />
          </Panel>
          <Panel title="Facts" id="facts">
            <Facts f={f} />
          </Panel>
          <KnownForm f={f} reload={query.reload} />
        </div>
      </div>
      {f.output && (
        <Panel title="Output of the failing execution" id="output" tools={<Copy text={f.output} what="the output" />}>
          <pre class="block tall" tabIndex={0} data-testid="output">
            <Text of={f.output} limit={100000} />
          </pre>
        </Panel>
      )}
    </>
  );
}

function Facts({ f }: { f: Finding }) {
  const { from, to, seconds } = f.minimised;
  return (
    <dl class="facts">
      <dt>Proof</dt>
      <dd data-testid="proof">
        {f.replays ? `${f.repeats} of ${plural(f.replays, "replay")} in a fresh process` : "not replayed"}
        {f.flaky && " (flaky)"}
      </dd>
      {f.not_run && (
        <>
          <dt>Not in go test</dt>
          <dd>
            <Text of={f.not_run} />
          </dd>
        </>
      )}
      <dt>Minimized</dt>
      <dd data-testid="minimised">
        {f.seed ? (
          <>
            no: it is the seed <Code of={f.seed} limit={100} />
          </>
        ) : from > to ? (
          `from ${bytes(from)} to ${bytes(to)} in ${duration(seconds)}`
        ) : (
          `no smaller input was found; ${bytes(to)}`
        )}
      </dd>
      {(f.path || f.kept) && (
        <>
          <dt>File</dt>
          <dd>
            <Code of={f.path || f.kept} limit={400} />
            {f.not_written && (
              <>
                {" "}
                (<Text of={f.not_written} />)
              </>
            )}
          </dd>
        </>
      )}
      <dt>Seen</dt>
      <dd>
        {plural(f.times_seen, "time")}, first <Ago at={f.first_seen} />, last <Ago at={f.last_seen} />
      </dd>
      {f.known && (
        <>
          <dt>Known</dt>
          <dd data-testid="known">
            <Text of={f.known.reason} />
            {f.known.until && ` (until ${f.known.until})`}
            {f.known.expired && " – expired"}
          </dd>
        </>
      )}
      {f.dependency && (
        <>
          <dt>Dependency</dt>
          <dd>
            <Code of={f.dependency.module} limit={200} /> <Text of={f.dependency.version} />
          </dd>
        </>
      )}
      {f.more && f.more.length > 0 && (
        <>
          <dt>Other inputs</dt>
          <dd>
            {plural(f.more.length, "other input")} of {f.more.map((m) => bytes(m.size)).join(" and ")}; <Code of={`gnaw show ${f.short_id}`} /> prints more
          </dd>
        </>
      )}
      {f.go && (
        <>
          <dt>Toolchain</dt>
          <dd>
            {f.go} <Text of={(f.flags ?? []).join(" ")} />
          </dd>
        </>
      )}
      {f.commit && (
        <>
          <dt>Commit</dt>
          <dd>
            <Code of={f.commit.slice(0, 12)} />
            {f.changed && " with changed files"}
          </dd>
        </>
      )}
      <dt>ID</dt>
      <dd>
        <Code of={f.id} />
      </dd>
    </dl>
  );
}

function Stack({ frames }: { frames: Frame[] }) {
  if (frames.length === 0) return <Empty>The stack has no frame of this module.</Empty>;
  return (
    <ol class="stack" data-testid="stack">
      {frames.map((frame, i) => (
        <li>
          <details open={i === 0}>
            <summary>
              <Code of={frame.function} limit={200} />{" "}
              <span class="muted">
                <Code of={`${frame.file}:${frame.line}`} limit={200} />
              </span>
            </summary>
            {frame.lines.length > 0 ? (
              <pre class="block source" tabIndex={0}>
                {frame.lines.map((line, n) => {
                  const number = frame.first_line + n;
                  const here = number === frame.line;
                  return (
                    <span class={here ? "line here" : "line"}>
                      <span class="gutter">
                        {here ? "▸" : " "}
                        {number}
                      </span>
                      <Text of={line} limit={1000} />
                    </span>
                  );
                })}
              </pre>
            ) : (
              <Empty>The source is not there.</Empty>
            )}
          </details>
        </li>
      ))}
    </ol>
  );
}

/** KnownForm puts a finding on the list of known ones, if the server allows it. */
function KnownForm({ f, reload }: { f: Finding; reload: () => void }) {
  const { info } = useConnection();
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (!info?.control || (f.known && !f.known.expired)) return null;
  const submit = (e: Event) => {
    e.preventDefault();
    setBusy(true);
    post("/api/known", { id: f.id, reason, ...(until ? { until } : {}), csrf: info.csrf })
      .then(
        () => {
          setError(null);
          reload();
        },
        (e: unknown) => setError(e instanceof ApiError ? e.message : String(e)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Panel title="Mark as known" id="mark-known">
      <form class="form" onSubmit={submit}>
        <label>
          Reason
          <input required value={reason} onInput={(e) => setReason(e.currentTarget.value)} maxLength={500} data-testid="known-reason" />
        </label>
        <label>
          Until (optional)
          <input type="date" value={until} onInput={(e) => setUntil(e.currentTarget.value)} data-testid="known-until" />
        </label>
        <button type="submit" disabled={busy || reason.trim() === ""} data-testid="known-submit">
          Mark as known
        </button>
        {error && (
          <p class="problem" role="alert">
            <Text of={error} />
          </p>
        )}
      </form>
    </Panel>
  );
}
