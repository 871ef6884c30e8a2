// The bytes of an argument as hex, as ASCII and in a Go literal, and the marks of the bytes that matter.

import type { Matter } from "../api";

/** Mark is what is known of a byte: it does not matter, it matters, or it was not tested. */
export type Mark = "" | "matters" | "untested";

/** marksOf returns the mark of each of count bytes. */
export function marksOf(count: number, m: Matter): Mark[] {
  const marks = new Array<Mark>(count).fill("");
  for (const [from, to] of m.untested ?? []) marks.fill("untested", Math.max(from, 0), Math.max(to, 0));
  for (const [from, to] of m.bytes ?? []) marks.fill("matters", Math.max(from, 0), Math.max(to, 0));
  return marks;
}

/** strongest returns the mark of several bytes that are shown as one character. */
function strongest(marks: readonly Mark[]): Mark {
  return marks.includes("matters") ? "matters" : marks.includes("untested") ? "untested" : "";
}

/** wholeCharacters gives all bytes of a character of UTF-8 the same mark. */
export function wholeCharacters(data: Uint8Array, marks: readonly Mark[]): Mark[] {
  const out: Mark[] = [];
  for (let from = 0; from < data.length; ) {
    let to = from + 1;
    while (to < data.length && to < from + 4 && ((data[to] ?? 0) & 0xc0) === 0x80) to++;
    const mark = strongest(marks.slice(from, to));
    while (out.length < to) out.push(mark);
    from = to;
  }
  return out;
}

/** A part of a list, from an index up to another one, whose elements have the same mark. */
export interface Run {
  from: number;
  to: number;
  mark: Mark;
}

/** runs splits a part of a list of marks. */
export function runs(marks: readonly Mark[], from = 0, to = marks.length): Run[] {
  const list: Run[] = [];
  for (let i = from; i < to; i++) {
    const mark = marks[i] ?? "";
    const last = list[list.length - 1];
    if (last?.mark === mark) last.to = i + 1;
    else list.push({ from: i, to: i + 1, mark });
  }
  return list;
}

const escaped = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)|[^"\\]/gu;

/** literalParts splits the Go literal of a string or a []byte, with the marks of its bytes. It is one part without a mark if the literal has
 * another number of bytes. */
export function literalParts(literal: string, marks: readonly Mark[]): { text: string; mark: Mark }[] {
  const open = literal.indexOf('"');
  const close = literal.lastIndexOf('"');
  const parts: { text: string; mark: Mark }[] = [];
  const add = (text: string, mark: Mark) => {
    const last = parts[parts.length - 1];
    if (last?.mark === mark) last.text += text;
    else parts.push({ text, mark });
  };
  add(literal.slice(0, open + 1), "");
  let at = 0;
  for (const [text] of literal.slice(open + 1, close).matchAll(escaped)) {
    const size = sizeInLiteral(text);
    add(text, strongest(marks.slice(at, at + size)));
    at += size;
  }
  if (open < 0 || open === close || at !== marks.length) return [{ text: literal, mark: "" }];
  add(literal.slice(close), "");
  return parts;
}

/** sizeInLiteral returns the number of bytes of a character or an escape sequence. */
function sizeInLiteral(text: string): number {
  if (/^\\[uU]/.test(text)) return new TextEncoder().encode(String.fromCodePoint(parseInt(text.slice(2), 16))).length;
  return text.startsWith("\\") ? 1 : new TextEncoder().encode(text).length;
}

// A text names this number of ranges of bytes.
const rangesAtMost = 20;

/** matterText says which bytes of an argument matter. count is their number; null: the argument is a number. */
export function matterText(count: number | null, m: Matter): string {
  const bytes = m.bytes ?? [];
  const untested = m.untested ?? [];
  if (count === null) return bytes.length > 0 ? "the value matters" : untested.length > 0 ? "not tested whether the value matters" : "the value does not matter";
  if (count === 0) return "";
  const all = (list: Matter["bytes"]) => list?.length === 1 && list[0]?.[0] === 0 && list[0][1] >= count;
  if (all(untested)) return "not tested which bytes matter";
  const text = all(bytes) ? "all bytes matter" : bytes.length > 0 ? `bytes that matter: ${rangesText(bytes)}` : untested.length > 0 ? "no tested byte matters" : "no byte matters";
  return untested.length > 0 ? `${text}; not tested: ${rangesText(untested)}` : text;
}

function rangesText(list: readonly [number, number][]): string {
  const names = list.slice(0, rangesAtMost).map(([from, to]) => (to === from + 1 ? String(from) : `${from}–${to - 1}`));
  return names.join(", ") + (list.length > rangesAtMost ? `, and ${list.length - rangesAtMost} more ranges` : "");
}

/** fromHex reads pairs of hex digits; spaces between them do not matter. It stops at the first other character. */
export function fromHex(hex: string): Uint8Array {
  const digits = hex.replace(/\s+/g, "");
  const clean = /^[0-9a-fA-F]*/.exec(digits)?.[0] ?? "";
  const out = new Uint8Array(clean.length >> 1);
  for (let i = 0; i < out.length; i++) out[i] = parseInt(clean.slice(2 * i, 2 * i + 2), 16);
  return out;
}

/** hexOf returns bytes as two digits each. */
export function hexOf(data: Uint8Array): string {
  return Array.from(data, (b) => b.toString(16).padStart(2, "0")).join(" ");
}

/** asciiOf returns printable ASCII as it is and a dot for each other byte. */
export function asciiOf(data: Uint8Array): string {
  return Array.from(data, (b) => (b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : "·")).join("");
}
