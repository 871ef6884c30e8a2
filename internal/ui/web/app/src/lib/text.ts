// Text of targets, source files and messages, which may be hostile. Control characters, and characters that change the direction of text, are
// made visible, so that they cannot hide or reorder other text.

export interface Piece {
  text: string;
  control: boolean;
}

// C0 and C1 controls but for tab and newline, marks and overrides of direction, characters without width, and lone surrogates.
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** pieces splits a text into text that can be shown as it is and the names of hidden characters. */
export function pieces(text: string): Piece[] {
  const list: Piece[] = [];
  let from = 0;
  for (const m of text.matchAll(hidden)) {
    if (m.index > from) list.push({ text: text.slice(from, m.index), control: false });
    list.push({ text: nameOf(m[0].charCodeAt(0)), control: true });
    from = m.index + m[0].length;
  }
  if (from < text.length) list.push({ text: text.slice(from), control: false });
  return list;
}

/** visible returns a text with the names of its hidden characters. */
export function visible(text: string): string {
  return pieces(text)
    .map((p) => p.text)
    .join("");
}

function nameOf(code: number): string {
  if (code === 0x0d) return "\\r";
  if (code < 0x100) return "\\x" + code.toString(16).padStart(2, "0");
  return "\\u" + code.toString(16).padStart(4, "0");
}

/** cut shortens a text to a number of characters. An ellipsis replaces the rest. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = limit;
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code < 0xdc00) end--;
  return `${text.slice(0, end)}…`;
}
