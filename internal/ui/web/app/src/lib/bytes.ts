// The bytes of an argument as hex and as ASCII.

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
