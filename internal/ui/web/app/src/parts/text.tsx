// Small pieces of text: hostile text, times, numbers, badges, errors, and buttons that copy.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiError, FindingRow } from "../api";
import { absolute, ago, count, exact } from "../lib/format";
import { cut, pieces, visible } from "../lib/text";
import { useNow } from "../store";

/** Text shows a text of a target from left to right, with the names of its control characters. */
export function Text({ of, limit = 2000 }: { of: string | null | undefined; limit?: number }) {
  const list = pieces(cut(of ?? "", limit));
  return <bdi dir="ltr">{list.map((p) => (p.control ? <span class="control">{p.text}</span> : p.text))}</bdi>;
}

/** Code shows Go source or a path. */
export function Code({ of, limit = 2000 }: { of: string | null | undefined; limit?: number }) {
  return (
    <code>
      <Text of={of} limit={limit} />
    </code>
  );
}

export function Ago({ at }: { at: string | null | undefined }) {
  const now = useNow(5000);
  if (!at) return <span class="muted">–</span>;
  return (
    <time dateTime={at} title={absolute(at)}>
      {ago(at, now)}
    </time>
  );
}

/** Count is a number that may be shortened, with the exact one as a title. */
export function Count({ of }: { of: number | null | undefined }) {
  const text = count(of);
  const full = exact(of);
  return text === full ? <>{text}</> : <span title={full}>{text}</span>;
}

export type Tone = "plain" | "accent" | "bad" | "warn" | "good";

export function Badge({ tone = "plain", title, children }: { tone?: Tone; title?: string; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`} {...(title ? { title } : {})}>
      {children}
    </span>
  );
}

/** Standing says whether a finding counts. */
export function Standing({ f }: { f: Pick<FindingRow, "known" | "flaky" | "counts"> }) {
  if (f.known && !f.known.expired) {
    return (
      <Badge title={`known: ${visible(f.known.reason)}`}>known</Badge>
    );
  }
  if (f.flaky) {
    return (
      <Badge tone="warn" title="It did not fail in each replay">
        flaky
      </Badge>
    );
  }
  return f.counts ? <Badge tone="bad">bug</Badge> : <Badge title="It was not replayed">not proved</Badge>;
}

/** copyText copies a text. Pages that are not a secure context have no clipboard; there it copies a selection. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr-only";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("the browser does not copy");
}

export function Copy({ text, what, id }: { text: string; what: string; id?: string }) {
  const [said, say] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = () => {
    const report = (s: string) => {
      say(s);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => say(""), 2500);
    };
    copyText(text).then(
      () => report("Copied"),
      () => report("Not copied"),
    );
  };
  return (
    <button type="button" class="copy" onClick={copy} aria-label={said || `Copy ${what}`} data-testid={id ? `copy-${id}` : undefined}>
      <span aria-live="polite">{said || "Copy"}</span>
    </button>
  );
}

/** Command is a line for the shell with a button that copies it. */
export function Command({ label, text, id }: { label: string; text: string | undefined; id: string }) {
  if (!text) return null;
  return (
    <div class="command">
      <span class="label">{label}</span>
      <div class="shell">
        <code data-testid={`command-${id}`}>
          <Text of={text} limit={20000} />
        </code>
        <Copy text={text} what={`the command: ${label}`} id={id} />
      </div>
    </div>
  );
}

export function Problem({ error }: { error: ApiError }) {
  return (
    <p class="problem" role="alert">
      <Text of={error.message} />
    </p>
  );
}

/** Empty says that there is nothing to show, and why or what to do. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Pending shows an error, or that the page is loading. Status 404 is not shown as an error: its message says what to do. */
export function Pending({ error }: { error: ApiError | null }) {
  if (error?.status === 404) {
    return (
      <Empty>
        <Text of={error.message} />
      </Empty>
    );
  }
  if (error && error.status !== 0 && error.status !== 401) return <Problem error={error} />;
  return <p class="empty loading">Loading…</p>;
}
