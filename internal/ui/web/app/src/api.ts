// The JSON of the server. Fields that it may leave out are optional or null.

export interface Info {
  version: string;
  go: string;
  control: boolean;
  mode: "fuzz" | "ui";
  live: number | string;
  module: string;
  csrf: string;
}

export interface Campaign {
  id: number | string;
  module: string;
  packages: string;
  args: string;
  go?: string;
  commit?: string;
  started: string;
  ended: string | null;
  state: "running" | "ended" | "killed";
  seconds: number;
  targets: number;
  execs: number;
  edges: number;
  entries: number;
  findings: number;
  statements?: number;
  covered?: number;
}

/** TargetStatus is a phase of package board. */
export type TargetStatus =
  | "waiting"
  | "building"
  | "starting"
  | "loading"
  | "warming"
  | "fuzzing"
  | "minimizing"
  | "paused"
  | "quiet"
  | "set aside"
  | "skipped"
  | "fails"
  | "unreached"
  | "ended";

export interface TargetRow {
  key?: string;
  package: string;
  folder?: string;
  target: string;
  state: TargetStatus;
  instrumented?: boolean;
  warm_done?: number;
  warm_total?: number;
  workers?: number;
  execs: number;
  edges: number;
  buckets?: number;
  entries: number;
  new_entries?: number;
  rerun_entries?: number;
  repeated_entries?: number;
  covered_statements?: number;
  statements?: number;
  result?: string;
  reason?: string;
  turns?: number;
  seconds?: number;
  share?: number;
  seconds_since_edge?: number;
  bugs?: number;
  flaky?: number;
  known?: number;
  rate?: number;
  next_edge_seconds?: number;
  next_edge_low?: number; // 80 % of the distribution is between this and the next
  next_edge_high?: number;
}

export interface TargetName {
  package?: string;
  folder?: string;
  target?: string;
}

export interface Worker {
  number: number;
  doing: string;
  target: TargetName;
  since: number;
}

export interface Build {
  package: string;
  race?: boolean;
  done: boolean;
  error?: string;
}

export interface Known {
  reason: string;
  until?: string;
  expired?: boolean;
}

export interface FindingRow {
  id: string;
  short_id: string;
  kind: string;
  place: string;
  message: string;
  package: string;
  target: string;
  first: string;
  last: string;
  times: number;
  flaky: boolean;
  known: Known | null;
  counts: boolean;
}

export interface LogEntry {
  at: string;
  event: string;
  target?: string;
  text: string;
}

export interface Totals {
  seconds: number;
  targets_begun: number;
  targets: number;
  execs: number;
  execs_per_second: number;
  edges: number;
  entries: number;
  findings: number;
  seconds_left?: number;
  covered_statements?: number;
  statements?: number;
}

export interface End {
  seconds: number;
  with_bug: number;
  clean: number;
  findings: number;
  busy: number;
  exit_code: number;
}

export interface CampaignPage {
  campaign: Campaign;
  at: string;
  totals: Totals | null;
  targets: TargetRow[];
  workers: Worker[];
  builds: Build[];
  findings: FindingRow[];
  log: LogEntry[];
  end: End | null;
  paused?: boolean;
  pausing?: boolean;
}

/** Sparks are the new edges over time of the targets of a campaign, by key. */
export interface Sparks {
  sparks: Record<string, number[]>;
}

export interface Point {
  at: string;
  seconds: number;
  execs: number;
  edges: number;
  buckets?: number;
  entries: number;
  covered?: number | null;
  statements?: number | null;
  findings?: number | null;
  rate?: number | null;
}

export interface Technique {
  name: string;
  entries: number;
  edges: number;
}

export interface EntryRow {
  name: string;
  size: number;
  at?: string | null;
  edges: number | null;
  buckets: number | null;
  literals: string[];
  technique?: string;
}

export interface TargetPage {
  target: TargetRow;
  points: Point[];
  techniques: Technique[];
  entries: EntryRow[];
  findings: FindingRow[];
}

export interface CorpusPage {
  total: number;
  entries: EntryRow[];
}

export interface Argument {
  kind: string;
  literal: string;
  hex?: string; // of a string or a []byte
  cut?: boolean;
}

export interface EntryPage {
  name: string;
  path: string;
  size: number;
  args: Argument[];
  lines: { file: string; line: number; count: number }[];
}

export interface Frame {
  function: string;
  file: string;
  line: number;
  first_line: number;
  lines: string[];
}

/** Matter says which bytes of an argument matter. A range has the offset of its first byte and the offset after its last one. */
export interface Matter {
  bytes?: [number, number][];
  untested?: [number, number][];
}

export interface Finding {
  id: string;
  short_id: string;
  kind: string;
  message: string;
  place: string;
  package: string;
  folder?: string;
  target: string;
  path?: string;
  kept?: string;
  not_written?: string;
  seed?: string;
  size?: number;
  original_size?: number;
  minimize_seconds?: number;
  matter?: Matter[]; // one for each argument; absent: not tested
  output?: string;
  replays?: number;
  repeats?: number;
  flaky?: boolean;
  not_run?: string;
  first_seen?: string;
  last_seen?: string;
  times_seen?: number;
  go?: string;
  flags?: string[] | null;
  environ?: string[] | null;
  commit?: string;
  changed?: boolean;
  literals?: string[];
  rerun?: string;
  known?: Known | null;
  unreadable?: string;
  dependency?: { module: string; version: string } | null;
  more?: { target: string; size: number }[] | null;
  source?: Frame[];
  args?: Argument[];
  minimised?: { from: number; to: number; seconds: number } | null;
  commands?: { rerun?: string; regress?: string; known?: string };
  counts?: boolean;
}

export interface SourceFile {
  file: string;
  package: string;
  statements: number;
  covered: number;
  branches: number;
}

/** Branch is one with a side that no input takes. */
export interface Branch {
  file: string;
  line: number;
  column: number;
  function: string;
  sentence: string;
  reach: string;
  behind: number;
  inputs: number;
  targets: string[];
  command: string;
}

export interface FrontierPage {
  branches: Branch[];
  total: number;
  changed: string[]; // some of the files that were changed after their statements were counted
  changed_total: number;
}

export interface LineEntry {
  name: string;
  literals: string[];
  key?: string;
  target?: string;
}

export interface SourceLine {
  n: number;
  text: string;
  state: "" | "covered" | "uncovered";
  count: number;
  entry: LineEntry | null;
  branches?: Branch[];
}

export interface SourcePage {
  file: string;
  changed: boolean;
  lines: SourceLine[];
}

export interface Side {
  edges: number;
  entries: number;
  execs: number;
  covered?: number | null;
  findings: number;
}

export interface Comparison {
  a: Campaign;
  b: Campaign;
  targets: { package: string; target: string; a: Side | null; b: Side | null }[];
  findings: { only_a: FindingRow[]; only_b: FindingRow[]; both: FindingRow[] };
}

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
    const said = (data as { error?: unknown } | null)?.error;
    throw new ApiError(response.status, typeof said === "string" ? said : `The server answers with status ${response.status}.`);
  }
  return data as T;
}

/** post sends a request that changes something. */
export function post(path: string, body: Record<string, unknown>): Promise<unknown> {
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
