// An argument of an input: as Go literal, as text, and as hex, with the bytes that matter marked.

import { useMemo, useState } from "preact/hooks";
import type { Argument, Matter } from "../api";
import { asciiOf, fromHex, hexOf, literalParts, marksOf, matterText, runs, wholeCharacters, type Mark } from "../lib/bytes";
import { bytes as sizeText, plural } from "../lib/format";
import { Copy, Text } from "./text";

const views = ["literal", "text", "hex"] as const;
type View = (typeof views)[number];

// The hex dump shows this number of rows first; a button shows more.
const rowsAtOnce = 256;

/** MatterLegend explains the marks of an input. */
export function MatterLegend({ list }: { list: Matter[] | undefined }) {
  if (!list) return <p class="muted matter-legend" data-testid="matter-legend">gnaw has not tested which bytes matter.</p>;
  return (
    <p class="muted matter-legend" data-testid="matter-legend">
      <Marked text="Underlined" mark="matters" /> bytes matter: with some other value of such a byte, the input does not fail in the same way.
      {list.some((m) => m.untested?.length) && (
        <>
          {" "}
          <Marked text="Dotted" mark="untested" /> ones were not tested.
        </>
      )}
    </p>
  );
}

function Marked({ text, mark }: { text: string; mark: Mark }) {
  const part = <Text of={text} limit={70000} />;
  return mark === "matters" ? <mark>{part}</mark> : mark === "untested" ? <span class="untested">{part}</span> : part;
}

export function ArgumentView({ arg, number, matter }: { arg: Argument; number: number; matter?: Matter | undefined }) {
  const go = arg.literal;
  const data = useMemo(() => (arg.hex ? fromHex(arg.hex) : null), [arg.hex]);
  const isBuffer = arg.kind === "string" || arg.kind === "[]uint8";
  const marks = useMemo(() => (data && matter ? marksOf(data.length, matter) : null), [data, matter]);
  const says = matter ? matterText(isBuffer ? (data?.length ?? 0) : null, matter) : "";
  const has: Record<View, boolean> = { literal: go !== "", text: data !== null, hex: data !== null };
  const [view, setView] = useState<View>("literal");
  const shown = has[view] ? view : (views.find((v) => has[v]) ?? "literal");
  const offered = views.filter((v) => has[v]);
  return (
    <div class="argument" data-testid="argument">
      <div class="argument-head">
        <span>
          argument {number + 1} <span class="muted">{arg.kind}</span>
          {data && <span class="muted"> {sizeText(data.length)}{arg.cut ? " shown, the rest is cut off" : ""}</span>}
          {says && <span class="muted" data-testid="matter"> · {says}</span>}
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
          <Literal text={go} marks={marks} whole={!isBuffer && !!matter?.bytes?.length} />
        </pre>
      )}
      {shown === "text" && data && <TextView data={data} marks={marks} />}
      {shown === "hex" && data && <Hex data={data} marks={marks} />}
      {!offered.length && <p class="empty">The argument is empty.</p>}
    </div>
  );
}

/** Literal shows a Go literal. whole says that all of it is marked. */
function Literal({ text, marks, whole }: { text: string; marks: Mark[] | null; whole: boolean }) {
  if (!marks) return <Marked text={text} mark={whole ? "matters" : ""} />;
  return (
    <>
      {literalParts(text, marks).map((p) => (
        <Marked text={p.text} mark={p.mark} />
      ))}
    </>
  );
}

function TextView({ data, marks }: { data: Uint8Array; marks: Mark[] | null }) {
  const decoder = new TextDecoder();
  const list = marks ? runs(wholeCharacters(data, marks)) : [{ from: 0, to: data.length, mark: "" as Mark }];
  return (
    <pre class="block wrap" tabIndex={0} data-testid="text">
      {list.map((r) => (
        <Marked text={decoder.decode(data.subarray(r.from, r.to))} mark={r.mark} />
      ))}
    </pre>
  );
}

/** row shows a part of the bytes of a hex dump. gap separates runs of bytes. */
function row(data: Uint8Array, marks: Mark[] | null, at: number, show: (d: Uint8Array) => string, gap: string) {
  const end = Math.min(at + 16, data.length);
  if (!marks) return show(data.subarray(at, end));
  return runs(marks, at, end).map((r, i) => (
    <>
      {i > 0 && gap}
      <Marked text={show(data.subarray(r.from, r.to))} mark={r.mark} />
    </>
  ));
}

function Hex({ data, marks }: { data: Uint8Array; marks: Mark[] | null }) {
  const [limit, setLimit] = useState(rowsAtOnce);
  const count = Math.ceil(data.length / 16);
  const starts = Array.from({ length: Math.min(count, limit) }, (_, i) => i * 16);
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
                <td>{row(data, marks, at, hexOf, " ")}</td>
                <td class="ascii">{row(data, marks, at, asciiOf, "")}</td>
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
