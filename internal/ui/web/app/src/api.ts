// Requests to the server, and the types of its answers.

import type { Accepted, Failure, Order } from "./answers";

export type * from "./answers";

/** ApiError is an error that the server answers. Status 0 means that it does not answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** request returns the JSON of an answer. It throws an ApiError, or an AbortError after an abort. */
export async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...init });
  } catch (e) {
    if (e instanceof DOMException && e.name === "AbortError") throw e;
    throw new ApiError(0, "The server does not answer.");
  }
  const text = await response.text().catch(() => {
    throw new ApiError(0, "The server stopped in the middle of an answer.");
  });
  let data: unknown = null;
  try {
    data = text === "" ? null : JSON.parse(text);
  } catch {
    if (response.ok) throw new ApiError(response.status, "The answer of the server is not JSON.");
  }
  if (!response.ok) {
    const said = (data as Partial<Failure> | null)?.error; // a proxy may answer something else
    throw new ApiError(response.status, typeof said === "string" ? said : `The server answers with status ${response.status}.`);
  }
  return data as T;
}

/** post sends a request that changes something. */
export function post(path: string, body: Order): Promise<Accepted> {
  return request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** keyOf returns the name of a target in addresses: base64url of the package, a newline, and the target. */
export function keyOf(t: { key?: string; package?: string; target?: string }): string {
  if (t.key) return t.key;
  const data = new TextEncoder().encode(`${t.package ?? ""}\n${t.target ?? ""}`);
  let binary = "";
  for (const b of data) binary += String.fromCharCode(b);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** targetOf is the inverse of keyOf. The names are empty if the text is no key. */
export function targetOf(key: string): { package: string; target: string } {
  try {
    const binary = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
    const text = new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
    const at = text.indexOf("\n");
    return at < 0 ? { package: "", target: "" } : { package: text.slice(0, at), target: text.slice(at + 1) };
  } catch {
    return { package: "", target: "" };
  }
}
