// An argument of an input: as Go literal, as text, and as hex, with the bytes that matter marked.

import { useMemo, useState } from "preact/hooks";
import type { Argument } from "../api";
import { asciiOf, fromHex, hexOf, runs, wholeCharacters, type Mark } from "../lib/bytes";
import { bytes as sizeText, plural } from "../lib/format";
import { Copy, Text } from "./text";

const views = ["literal", "text", "hex"] as const;
type View = (typeof views)[number];

// The dump of an input draws so many rows at once; a button shows the next ones.
const rowsAtOnce = 256;

export function ArgumentView({ arg, number, literal }: { arg: Argument; number: number; literal?: string | undefined }) {
  const go = arg.literal ?? literal ?? "";
  const data = useMemo(() => (arg.hex ? fromHex(arg.hex) : null), [arg.hex]);
  const marks: Mark[] = arg.marks ?? [];
  const has: Record<View, boolean> = { literal: go !== "", text: data !== null || !!arg.text, hex: data !== null };
  const [view, setView] = useState<View>("literal");
  const shown = has[view] ? view : (views.find((v) => has[v]) ?? "literal");
  const offered = views.filter((v) => has[v]);
  return (
    <div class="argument" data-testid="argument">
      <div class="argument-head">
        <span>
          argument {number + 1} <span class="muted">{arg.kind}</span>
          {data && <span class="muted"> {sizeText(data.length)}{arg.cut ? " shown, the rest is cut off" : ""}</span>}
          {marks.length > 0 && (
            <span class="muted">
              {" "}
              · <mark>marked</mark>
              {shown === "literal" ? " in text and hex" : ""}: bytes that differ from an input that passes
            </span>
          )}
        </span>
        {offered.length > 1 && (
          <span class="views" role="group" aria-label={`View of argument ${number + 1}`}>
            {offered.map((v) => (
              <button type="button" aria-pressed={v === shown} onClick={() => setView(v)} data-testid={`view-${v}`}>
                {v === "literal" ? "Go literal" : v}
              </button>
            ))}
          </span>
        )}
        {shown === "literal" && go && <Copy text={go} what={`argument ${number + 1} as a Go literal`} />}
      </div>
      {shown === "literal" && (
        <pre class="block wrap" tabIndex={0} data-testid="literal">
          <Text of={go} limit={70000} />
        </pre>
      )}
      {shown === "text" && <TextView data={data} text={arg.text ?? ""} marks={marks} />}
      {shown === "hex" && data && <Hex data={data} marks={marks} />}
      {!offered.length && <p class="empty">The argument is empty.</p>}
    </div>
  );
}

function TextView({ data, text, marks }: { data: Uint8Array | null; text: string; marks: readonly Mark[] }) {
  const decoder = new TextDecoder();
  return (
    <pre class="block wrap" tabIndex={0} data-testid="text">
      {data
        ? runs(0, data.length, wholeCharacters(data, marks)).map((r) => {
            const part = <Text of={decoder.decode(data.subarray(r.from, r.to))} limit={70000} />;
            return r.marked ? <mark>{part}</mark> : part;
          })
        : <Text of={text} limit={70000} />}
    </pre>
  );
}

function Hex({ data, marks }: { data: Uint8Array; marks: readonly Mark[] }) {
  const [limit, setLimit] = useState(rowsAtOnce);
  const count = Math.ceil(data.length / 16);
  const starts = Array.from({ length: Math.min(count, limit) }, (_, i) => i * 16);
  const part = (at: number, show: (d: Uint8Array) => string, gap: string) => {
    const list = runs(at, Math.min(at + 16, data.length), marks);
    return list.flatMap((r, i) => {
      const text = show(data.subarray(r.from, r.to));
      return [i > 0 ? gap : "", r.marked ? <mark>{text}</mark> : text];
    });
  };
  return (
    <>
      <div class="block hex" tabIndex={0} role="group" aria-label="Hex dump" data-testid="hex">
        <table>
          <thead class="sr-only">
            <tr>
              <th scope="col">offset</th>
              <th scope="col">hex</th>
              <th scope="col">ASCII</th>
            </tr>
          </thead>
          <tbody>
            {starts.map((at) => (
              <tr>
                <th scope="row">{at.toString(16).padStart(6, "0")}</th>
                <td>{part(at, hexOf, " ")}</td>
                <td class="ascii">{part(at, asciiOf, "")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > limit && (
        <button type="button" onClick={() => setLimit(limit + 1024)}>
          Show more of {plural(count, "row")}
        </button>
      )}
    </>
  );
}
