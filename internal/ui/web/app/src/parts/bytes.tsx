// An argument of an input: as Go literal, as text, and as hex.

import { useMemo, useState } from "preact/hooks";
import type { Argument } from "../api";
import { asciiOf, fromHex, hexOf } from "../lib/bytes";
import { bytes as sizeText, plural } from "../lib/format";
import { Copy, Text } from "./text";

const views = ["literal", "text", "hex"] as const;
type View = (typeof views)[number];

// The hex dump shows this number of rows first; a button shows more.
const rowsAtOnce = 256;

export function ArgumentView({ arg, number }: { arg: Argument; number: number }) {
  const go = arg.literal;
  const data = useMemo(() => (arg.hex ? fromHex(arg.hex) : null), [arg.hex]);
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
      {shown === "text" && data && <TextView data={data} />}
      {shown === "hex" && data && <Hex data={data} />}
      {!offered.length && <p class="empty">The argument is empty.</p>}
    </div>
  );
}

function TextView({ data }: { data: Uint8Array }) {
  return (
    <pre class="block wrap" tabIndex={0} data-testid="text">
      <Text of={new TextDecoder().decode(data)} limit={70000} />
    </pre>
  );
}

function Hex({ data }: { data: Uint8Array }) {
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
            {starts.map((at) => {
              const row = data.subarray(at, at + 16);
              return (
                <tr>
                  <th scope="row">{at.toString(16).padStart(6, "0")}</th>
                  <td>{hexOf(row)}</td>
                  <td class="ascii">{asciiOf(row)}</td>
                </tr>
              );
            })}
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
