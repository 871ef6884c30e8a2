// Data for the mock server: a campaign that runs, one that has ended, an empty one, a large one, and one in which each text is hostile.
// npm run check checks that they have the types of the answers of the server.

/**
 * @import {
 *   Branch, Campaign, CampaignList, CampaignPage, Comparison, CorpusPage, End, EntryPage, EntryRow, Finding, FindingList, FindingRow, FrontierPage, LineState,
 *   LogEntry, Phase, Point, Side, SourceList, SourcePage, Sparks, TargetPage, TargetRow, Totals,
 * } from "../src/answers"
 */

const module = "github.com/example/markup";
const start = Date.now() - 2 * 3600e3 - 750e3;
/** @param {number} ms */
const iso = (ms) => new Date(ms).toISOString();
/** @param {string} pkg @param {string} target */
const key = (pkg, target) => Buffer.from(`${pkg}\n${target}`).toString("base64url");

/**
 * random returns the same numbers in each run.
 * @param {number} seed
 */
function random(seed) {
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const markup = `"><img src=x onerror="window.hurt=1"><script>window.hurt=1</script>`;
const escapes = "\u001b[31mred\u001b[0m \u001b]0;title\u0007 bell\u0007 \u202Egnaw\u202C zero\u200Bwidth";
const rtl = "שלום עולם مرحبا";
const long = "very_long_".repeat(120);

/** @type {Phase[]} */
const states = ["fuzzing", "fuzzing", "minimizing", "warming", "building", "waiting", "quiet", "set aside", "skipped", "ended"];

/** @param {string} pkg @param {string} target @param {number} i @param {() => number} r @returns {TargetRow} */
function targetRow(pkg, target, i, r) {
  const state = states[i % states.length];
  const begun = !["waiting", "building", "set aside", "skipped"].includes(state);
  const edges = begun ? Math.floor(200 + r() * 4000) : 0;
  const statements = 300 + Math.floor(r() * 900);
  return {
    key: key(pkg, target),
    package: pkg,
    folder: pkg.slice(module.length + 1) || ".",
    target,
    state,
    instrumented: true,
    warming_up: state === "warming",
    warm_done: state === "warming" ? 120 : 300,
    warm_total: 300,
    minimizing: i === 2,
    workers: state === "fuzzing" ? 1 : 0,
    execs: begun ? Math.floor(r() * 40e6) : 0,
    edges,
    buckets: edges * 3,
    entries: begun ? Math.floor(edges / 3) : 0,
    new_entries: begun ? Math.floor(edges / 9) : 0,
    rerun_entries: begun ? edges : 0,
    repeated_entries: begun ? Math.floor(edges * 0.987) : 0,
    covered_statements: begun ? Math.floor(statements * (0.3 + 0.6 * r())) : 0,
    statements: begun ? statements : 0,
    result: i === 0 ? "bug" : "clean",
    reason: state === "set aside" ? "the package does not build: undefined: parseX" : state === "skipped" ? "it calls f.Skip: needs a network" : "",
    begun,
    done: state === "ended",
    turns: begun ? Math.floor(r() * 80) : 0,
    seconds: begun ? r() * 2000 : 0,
    share: begun ? r() * 0.3 : 0,
    seconds_since_edge: begun ? r() * 900 : 0,
    bugs: i === 0 ? 2 : 0,
    flaky: 0,
    known: i === 4 ? 1 : 0,
    rate: state === "fuzzing" ? r() * 60000 : 0,
    next_edge_seconds: begun ? 740 : 0,
    next_edge_low: 95,
    next_edge_high: 5200,
  };
}

/** @param {number} i @param {Partial<FindingRow>} more @returns {FindingRow} */
function finding(i, more) {
  return {
    id: (0x89a4c0de00000000n + BigInt(i)).toString(16),
    short_id: `89a${i}`,
    kind: "panic",
    place: "expr/expr.go:95",
    message: "runtime error: integer divide by zero",
    package: `${module}/expr`,
    target: "FuzzEval",
    first: iso(start + 60e3),
    last: iso(Date.now() - 300e3 - i * 3600e3),
    times: 3 + i,
    flaky: false,
    known: null,
    counts: true,
    ...more,
  };
}

const findings = [
  finding(1, {}),
  finding(2, { kind: "hang", message: "no result after 10 s", place: "render/html.go:412", package: `${module}/render`, target: "FuzzRender" }),
  finding(3, { message: "runtime error: index out of range [17] with length 17", place: "table/cells.go:88", package: `${module}/table`, target: "FuzzTable", flaky: true, counts: false }),
  finding(4, { kind: "memory", message: "an execution allocates 3.2 GiB", place: "link/resolve.go:31", package: `${module}/link`, target: "FuzzLink", known: { reason: "fixed in 2.0", until: "2027-03-01", expired: false } }),
];
const hostileFindings = [
  finding(8, { message: markup, place: `${markup}.go:1`, target: "FuzzMarkup", package: markup, kind: "panic" }),
  finding(9, { message: `panic: ${escapes} ${rtl}`, place: `${rtl}.go:7`, target: "FuzzEscapes", known: { reason: markup, expired: false } }),
  finding(10, { message: long, place: `${long}.go:3`, target: `Fuzz${long}`, package: `example.com/${long}` }),
];

/** @type {LogEntry[]} */
const log = [
  { at: iso(start), event: "build", target: "", text: "builds 12 test binaries" },
  { at: iso(start + 9e3), event: "start", target: "", text: `fuzzes 14 targets of ${module} with 8 workers` },
  { at: iso(start + 40e3), event: "cover", target: "FuzzEval", text: "reaches 12 more statements" },
  { at: iso(start + 60e3), event: "finding", target: "FuzzEval", text: "89a1 integer divide by zero at expr/expr.go:95" },
  { at: iso(start + 62e3), event: "aside", target: "FuzzLegacy", text: "the package does not build: undefined: parseX" },
  { at: iso(start + 900e3), event: "quiet", target: "FuzzEscape", text: "no new edge is expected" },
  { at: iso(start + 1200e3), event: "warning", target: "", text: "the disk has 1.2 GiB left; the corpus is not kept below 1 GiB" },
];
/** @type {LogEntry[]} */
const hostileLog = [
  { at: iso(start), event: "warning", target: "FuzzMarkup", text: markup },
  { at: iso(start + 1e3), event: "warning", target: "FuzzEscapes", text: `${escapes} ${rtl}` },
  { at: iso(start + 2e3), event: markup, target: long, text: long },
];

/** @param {number} id @param {Partial<Campaign>} more @returns {Campaign} */
function campaign(id, more) {
  return {
    id,
    module,
    packages: "./...",
    args: "-cover ./...",
    go: "go1.26.1",
    commit: "3f6d2c19aa0e4b7f8d2c19aa0e4b7f8d2c19aa0e",
    started: iso(start),
    ended: null,
    state: "running",
    seconds: (Date.now() - start) / 1000,
    targets: 14,
    execs: 0,
    edges: 0,
    entries: 0,
    findings: 0,
    statements: 9000,
    covered: 0,
    ...more,
  };
}

const names = [
  ["expr", "FuzzEval"], ["expr", "FuzzPrint"], ["render", "FuzzRender"], ["render", "FuzzEscape"], ["link", "FuzzLink"], ["table", "FuzzTable"], ["table", "FuzzAlign"],
  ["legacy", "FuzzLegacy"], ["net", "FuzzFetch"], ["", "FuzzDocument"], ["inline", "FuzzEmphasis"], ["inline", "FuzzCode"], ["list", "FuzzList"], ["front/matter", "FuzzFrontMatter"],
];

/** @param {number} count */
function rows(count) {
  const r = random(7);
  return Array.from({ length: count }, (_, i) => {
    const [folder, target] = names[i % names.length];
    const n = Math.floor(i / names.length);
    return targetRow(folder ? `${module}/${folder}${n || ""}` : module, `${target}${n || ""}`, i, r);
  });
}

/** @param {Campaign} c @param {TargetRow[]} targets @param {Partial<CampaignPage>} more @returns {CampaignPage} */
function page(c, targets, more = {}) {
  /** @param {(t: TargetRow) => number | undefined} f */
  const sum = (f) => targets.reduce((n, t) => n + (f(t) ?? 0), 0);
  const covered = sum((t) => t.covered_statements);
  const statements = sum((t) => t.statements);
  /** @type {Totals} */
  const totals = {
    seconds: c.seconds,
    targets_begun: targets.filter((t) => t.begun).length,
    targets: targets.length,
    execs: sum((t) => t.execs),
    execs_per_second: sum((t) => t.rate),
    edges: sum((t) => t.edges),
    entries: sum((t) => t.entries),
    findings: 3,
    execs_since_start: 1,
    covered_statements: covered,
    statements,
  };
  return {
    campaign: { ...c, targets: targets.length, execs: totals.execs, edges: totals.edges, entries: totals.entries, findings: totals.findings, covered, statements },
    at: iso(Date.now()),
    totals,
    targets,
    workers: Array.from({ length: 8 }, (_, i) => ({
      number: i,
      doing: /** @type {const} */ (["fuzz", "fuzz", "minimize", "warm-up", "idle"])[i % 5],
      target: i % 5 === 4 || targets.length === 0 ? {} : { package: targets[i % 3].package, target: targets[i % 3].target },
      since: i * 3.7 + 0.4,
    })),
    builds: [
      { package: `${module}/expr`, done: true },
      { package: `${module}/render`, done: true },
      { package: `${module}/render`, race: true, done: false },
      { package: `${module}/legacy`, done: true, error: "# github.com/example/markup/legacy\nlegacy/parse.go:31:9: undefined: parseX" },
    ],
    findings,
    log,
    end: null,
    paused: false,
    pausing: false,
    ...more,
  };
}

export const hostileTargets = [
  targetRow(markup, `Fuzz${markup}`, 0, random(3)),
  targetRow(`example.com/${rtl}`, `Fuzz${escapes}`, 1, random(4)),
  targetRow(`example.com/${long}`, `Fuzz${long}`, 7, random(5)),
];
hostileTargets[2].reason = long + markup;

/** @type {Map<string, number[]>} */
const lines = new Map(); // new edges over time, by the key of a target

/**
 * sparks returns the new edges over time of the targets of a campaign.
 * @param {string} id @returns {Sparks}
 */
export function sparks(id) {
  const r = random(9);
  /** @param {TargetRow} t */
  const line = (t) => Array.from({ length: 60 }, (_, n) => (t.begun ? Math.floor(r() * r() * (60 - n) * 0.8) : 0));
  /** @param {TargetRow} t */
  const of = (t) => {
    const had = lines.get(t.key) ?? line(t);
    lines.set(t.key, had);
    return had;
  };
  return { sparks: Object.fromEntries((pages.get(id)?.targets ?? []).map((t) => [t.key, of(t)])) };
}

/** @type {End} */
const end = { seconds: 86400, targets: 12, with_bug: 2, with_flaky: 0, clean: 9, skipped: 1, unusable: 0, with_known_only: 0, unreached: 0, findings: 3, busy: 0.97, exit_code: 1 };

/** @type {Map<string, CampaignPage>} */
export const pages = new Map([
  ["12", page(campaign(12, {}), rows(14))],
  ["11", page(campaign(11, { state: "ended", ended: iso(start), started: iso(start - 86400e3), seconds: 86400 }), rows(12), { workers: [], builds: [], end })],
  ["10", page(campaign(10, { state: "killed", ended: iso(start - 90e6), started: iso(start - 2 * 86400e3), seconds: 3600, module: `example.com/${rtl}`, args: `${markup} ${long}`, packages: "" }), hostileTargets, { workers: [], builds: [{ package: markup, done: true, error: `${escapes}\n${markup}` }], findings: hostileFindings, log: hostileLog })],
  ["9", page(campaign(9, { state: "ended", started: iso(start - 4 * 86400e3), ended: iso(start - 4 * 86400e3 + 2e3), seconds: 2 }), [], { totals: null, workers: [], builds: [], findings: [], log: [] })],
  ["8", page(campaign(8, { state: "ended", started: iso(start - 5 * 86400e3), ended: iso(start - 4 * 86400e3), seconds: 86400 }), rows(1000), { workers: [], builds: [] })],
]);

/** @returns {CampaignList} */
export const campaigns = () => ({ campaigns: [...pages.values()].map((p) => p.campaign) });

const allFindings = [...findings, ...hostileFindings];

/** @returns {FindingList} */
export const findingList = () => ({ findings: allFindings });

/** @param {string | undefined} id @param {string} reason @param {string | undefined} until */
export function markKnown(id, reason, until) {
  for (const f of allFindings) if (f.id === id) f.known = { reason, expired: false, ...(until ? { until } : {}) };
}

/**
 * points are the numbers of a target over two hours.
 * @param {TargetRow} t @param {number} seconds @returns {Point[]}
 */
function points(t, seconds) {
  const r = random(t.edges + 1);
  const n = 240;
  return Array.from({ length: n }, (_, i) => {
    const s = (seconds * (i + 1)) / n;
    const part = 1 - Math.exp(-4 * Math.sqrt((i + 1) / n));
    return {
      at: iso(start + s * 1000),
      seconds: s,
      execs: Math.floor((t.execs * (i + 1)) / n),
      edges: Math.floor(t.edges * part),
      buckets: Math.floor(t.buckets * part),
      entries: Math.floor(t.entries * part),
      covered: Math.floor((t.covered_statements ?? 0) * Math.min(1, part * 1.02)),
      statements: t.statements ?? 0,
      findings: i > 30 ? (i > 170 ? t.bugs : Math.min(1, t.bugs)) : 0,
      rate: (t.rate || 20000) * (0.7 + 0.4 * r()),
    };
  });
}

const literals = ['string("0%0")', '[]byte("\\x00\\x01<a href=\\"x\\">")', 'string("((1+2)*3")', 'string("1e999999")', 'string("| a | b |\\n|---|---|\\n| 1 | 2 |")', 'int(-9223372036854775808)'];
const techniques = ["havoc", "comparison", "splice", "dictionary", "length", "checksum", "seed"];

/** @param {TargetRow} t @param {number} count @param {boolean} hostile @returns {EntryRow[]} */
function entries(t, count, hostile) {
  const r = random(t.entries + 3);
  return Array.from({ length: count }, (_, i) => ({
    name: (0x5a4be638af264000n + BigInt(i * 7919)).toString(16),
    size: 20 + Math.floor(r() * 400),
    at: iso(Date.now() - i * 47e3),
    edges: i % 4 === 0 ? Math.floor(r() * 30) : 0,
    buckets: Math.floor(r() * 12),
    literals: hostile ? [[`string(${JSON.stringify(markup)})`, `string("${rtl}")`, `string("${long}")`, `string("${escapes}")`][i % 4]] : [literals[i % literals.length]],
    technique: techniques[i % techniques.length],
  }));
}

/** @param {string} id @param {string} k @returns {TargetPage | null} */
export function targetPage(id, k) {
  const p = pages.get(id);
  const t = p?.targets.find((t) => t.key === k);
  if (!p || !t) return null;
  const hostile = id === "10";
  return {
    target: t,
    points: t.begun ? points(t, p.campaign.seconds) : [],
    techniques: t.begun ? techniques.map((name, i) => ({ name, entries: 400 - i * 50, edges: 900 - i * i * 20 })) : [],
    entries: t.begun ? entries(t, 12, hostile) : [],
    findings: p.findings.filter((f) => f.target === t.target || hostile),
  };
}

/** @param {string} id @param {string} k @param {number} offset @param {number} limit @param {string} q @returns {CorpusPage | null} */
export function corpus(id, k, offset, limit, q) {
  const t = pages.get(id)?.targets.find((t) => t.key === k);
  if (!t) return null;
  const all = entries(t, t.entries, id === "10").filter((e) => e.literals.join(" ").includes(q));
  return { total: all.length, entries: all.slice(offset, offset + limit) };
}

/** @param {string} s */
const hexOf = (s) => Buffer.from(s).toString("hex");
const hostileText = `${markup}\n${escapes}\n${rtl}\n${long}`;

/** @param {string} k @param {string} name @returns {EntryPage} */
export function entry(k, name) {
  const hostile = hostileTargets.some((t) => t.key === k);
  const text = hostile ? hostileText : "| a | b |\n|---|---|\n| 1 | 2 |\n\u0000é€";
  return {
    name,
    path: `/home/me/.cache/gnaw/fuzz/${module}/expr/FuzzEval/${name}`,
    size: text.length + 24,
    args: [
      { kind: "string", literal: `string(${JSON.stringify(text)})`, hex: hexOf(text) },
      { kind: "int", literal: "int(17)", hex: "" },
    ],
    lines: hostile ? [{ file: `${markup}.go`, line: 1, count: 2 }] : [12, 13, 14, 20, 31, 32, 33, 34, 90].map((line) => ({ file: "expr/expr.go", line, count: 3 })).concat([{ file: "expr/scan.go", line: 5, count: 1 }]),
  };
}

const source = `package expr

import (
	"errors"
	"strconv"
)

// errSyntax is the error of an expression that cannot be read.
var errSyntax = errors.New("syntax error")

type parser struct {
	text string
	at   int
}

// Eval returns the value of an expression.
func Eval(text string) (int, error) {
	p := &parser{text: text}
	v, err := p.sum()
	if err == nil && p.at < len(p.text) {
		err = errSyntax
	}
	return v, err
}

func (p *parser) product() (int, error) {
	left, err := p.unary()
	if err != nil {
		return 0, err
	}
	for p.at < len(p.text) {
		op := p.text[p.at]
		p.at++
		right, err := p.unary()
		if err != nil {
			return 0, err
		}
		switch op {
		case '*':
			left *= right
		case '/':
			if right == 0 {
				return 0, errSyntax
			}
			left /= right
		case '%':
			left %= right
		}
	}
	return left, nil
}

func (p *parser) number() (int, error) {
	from := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return strconv.Atoi(p.text[from:p.at])
}
`.split("\n");

/** @param {string} id @returns {SourceList | null} */
export function sources(id) {
  const p = pages.get(id);
  if (!p || p.targets.length === 0) return null;
  if (id === "10") return { files: [{ file: `${markup}.go`, package: markup, statements: 10, covered: 3, branches: 1 }, { file: `${long}.go`, package: long, statements: 9, covered: 9, branches: 0 }] };
  return {
    files: [
      { file: "render/html.go", package: `${module}/render`, statements: 812, covered: 420, branches: 17 },
      { file: "expr/expr.go", package: `${module}/expr`, statements: 61, covered: 44, branches: 2 },
      { file: "inline/emphasis.go", package: `${module}/inline`, statements: 203, covered: 203, branches: 0 },
      { file: "table/cells.go", package: `${module}/table`, statements: 140, covered: 139, branches: 0 },
    ],
  };
}

/** @param {string} file @param {number} line @param {Partial<Branch>} more @returns {Branch} */
function branch(file, line, more = {}) {
  return {
    file,
    line,
    column: 7,
    function: "(*parser).product",
    sentence: "err == nil && p.at < len(p.text): never true",
    details: ["1 statement behind it; 812 inputs of FuzzEval, FuzzPrint reach the condition", "-> an input for which p.at >= len(p.text)"],
    behind: 1,
    inputs: 812,
    targets: ["FuzzEval", "FuzzPrint"],
    command: `gnaw frontier FuzzEval ${module}/expr`,
    ...more,
  };
}

const hostileBranch = { function: markup, sentence: `s == "${markup}" + ${escapes}: never ${rtl}`, details: [long + markup, `-> ${markup}${long}`], targets: [`Fuzz${markup}`, `Fuzz${long}`], command: `gnaw frontier 'Fuzz${markup}' '${long}'` };

/**
 * frontier is the branches with a side that no input takes.
 * @param {string} id @returns {FrontierPage | null}
 */
export function frontier(id) {
  const p = pages.get(id);
  if (!p || p.targets.length === 0) return null;
  if (id === "10") return { branches: [branch(`${markup}.go`, 5, hostileBranch)], total: 1, kept: null, changed: [`${markup}.go`, `${long}.go`], changed_total: 30 };
  const r = random(11);
  const list = Array.from({ length: 200 }, (_, i) => branch("render/html.go", 41 + i * 3, { sentence: `d.depth > ${i} && d.kind != text: never true`, behind: 200 - i, inputs: Math.floor(r() * 900) }));
  return { branches: [branch("expr/expr.go", sourceLine("if err == nil && p.at < len(p.text) {"), { behind: 210 }), ...list.slice(1)], total: 243, kept: { at: iso(start - 60e3), same: false }, changed: ["table/cells.go"], changed_total: 1 };
}

/**
 * sourceLine is the number of the line with a text.
 * @param {string} text
 */
const sourceLine = (text) => source.findIndex((t) => t.trim() === text) + 1;

/** @param {string} id @param {string} file @returns {SourcePage} */
export function sourceFile(id, file) {
  const hostile = id === "10";
  const text = hostile ? [`package x // ${markup}`, `// ${escapes}`, `// ${rtl}`, `var x = "${long}"`, `if x == "${markup}" {`] : file === "render/html.go" ? Array.from({ length: 60 }, () => source).flat() : source;
  /** @param {number} n */
  const covered = (n) => (n > 16 && n < 46) || n > 52;
  const found = hostile ? [branch(file, 5, hostileBranch)] : [branch(file, sourceLine("if err == nil && p.at < len(p.text) {")), branch(file, sourceLine("switch op {"), { sentence: "switch op: never case '%'" })];
  const changed = file === "table/cells.go";
  return {
    file,
    changed,
    lines: text.map((t, i) => {
      const n = (i % source.length) + 1;
      const code = hostile || (covered(n) && t.trim() !== "" && !["}", "{"].includes(t.trim()) && !t.startsWith("//"));
      const uncovered = n >= 41 && n <= 43;
      /** @type {LineState} */
      const state = code ? (uncovered ? "uncovered" : "covered") : "";
      const reached = state === "covered";
      return {
        n: i + 1,
        text: t,
        state,
        branches: changed ? [] : found.filter((b) => b.line === i + 1),
        count: reached ? 1000 + i * 37 : 0,
        entry: reached && i % 3 !== 1 ? { name: "5a4be638af264000", key: key(`${module}/expr`, "FuzzEval"), target: "FuzzEval", literals: [hostile ? markup : 'string("0%0")'] } : null,
      };
    }),
  };
}

/** @param {string} id @returns {Finding | null} */
export function findingPage(id) {
  const f = allFindings.find((f) => f.id === id);
  if (!f) return null;
  const { first: _first, last: _last, times: _times, known, ...row } = f; // a page has these with other names
  const hostile = hostileFindings.includes(f);
  const text = hostile ? hostileText : "0%0";
  const big = f.short_id === "89a2" ? "a".repeat(9000) : text;
  return {
    ...row,
    ...(known ? { known } : {}),
    folder: "expr",
    path: "expr/testdata/fuzz/FuzzEval/7a4ba6e638af2644",
    size: 3,
    original_size: 412,
    minimize_seconds: 0.412,
    ...(f.flaky ? {} : { matter: [hostile ? { bytes: [[0, 5], [200, 240], [-1, 1e9]], untested: [[5, 200]] } : { bytes: [[1, 3]] }] }),
    output: hostile ? hostileText : "--- FAIL: FuzzEval (0.00s)\n    --- FAIL: FuzzEval/7a4ba6e638af2644 (0.00s)\npanic: runtime error: integer divide by zero\n\ngoroutine 20 [running]:\ngithub.com/example/markup/expr.(*parser).product(0xc00011df28)\n\t/src/expr/expr.go:95 +0x1f2\n",
    replays: 3,
    repeats: f.flaky ? 1 : 3,
    first_seen: f.first,
    last_seen: f.last,
    times_seen: f.times,
    go: "go1.26.1",
    flags: ["-race"],
    commit: "3f6d2c19aa0e4b7f8d2c19aa0e4b7f8d2c19aa0e",
    changed: true,
    literals: [`string(${JSON.stringify(big)})`],
    rerun: "go test -run=FuzzEval/7a4ba6e638af2644 ./expr",
    source: hostile
      ? [{ file: `${markup}.go`, function: markup, line: 2, first_line: 1, lines: [markup, escapes, long] }]
      : [
          { file: "expr/expr.go", function: "expr.(*parser).product", line: 42, first_line: 39, lines: source.slice(38, 46) },
          { file: "expr/expr.go", function: "expr.Eval", line: 19, first_line: 17, lines: source.slice(16, 23) },
          { file: "expr/fuzz_test.go", function: "expr.FuzzEval.func1", line: 12, first_line: 10, lines: [] },
        ],
    args: [{ kind: "string", literal: `string(${JSON.stringify(big)})`, hex: hexOf(big) }],
    input: `go test fuzz v1\nstring(${JSON.stringify(big)})\n`,
    frames: [{ func: "expr.(*parser).product", file: "expr/expr.go", line: 95 }],
    module,
    root: "",
    minimised: { from: 412, to: 3, seconds: 0.412 },
    commands: {
      rerun: hostile ? `go test -run='${markup}' ./expr` : "go test -run=FuzzEval/7a4ba6e638af2644 ./expr",
      regress: `gnaw regress ${f.short_id}`,
      known: `gnaw known add ${f.short_id} -reason 'why'`,
    },
  };
}

/** @param {string} a @param {string} b @returns {Comparison | null} */
export function compare(a, b) {
  const pa = pages.get(a);
  const pb = pages.get(b);
  if (!pa || !pb) return null;
  /** @param {TargetRow | undefined} t @returns {Side | null} */
  const side = (t) => (t ? { edges: t.edges, entries: t.entries, execs: t.execs, covered: t.covered_statements ?? null, findings: t.bugs } : null);
  const keys = new Map([...pa.targets, ...pb.targets].map((t) => [t.key, t]));
  /** @param {Side | null} s @param {number} n @returns {Side | null} */
  const shift = (s, n) => s && { ...s, edges: Math.max(0, s.edges + n), covered: Math.max(0, (s.covered ?? 0) + (n >> 2)), execs: Math.floor(s.execs * 1.2) };
  return {
    a: pa.campaign,
    b: pb.campaign,
    targets: [...keys].map(([k, t], i) => ({ package: t.package, target: t.target, a: side(pa.targets.find((t) => t.key === k)), b: shift(side(pb.targets.find((t) => t.key === k)), (i % 5) * 31 - 40) })),
    findings: { only_a: pa.findings.filter((f) => !pb.findings.includes(f)).slice(0, 1), only_b: pb.findings.slice(0, 2), both: pb.findings.slice(2) },
  };
}

/** advance changes a campaign that runs by a second. */
export function advance() {
  const p = pages.get("12");
  if (!p?.totals || p.paused) return;
  p.at = iso(Date.now());
  p.campaign.seconds = p.totals.seconds = (Date.now() - start) / 1000;
  for (const t of p.targets) {
    if (t.state !== "fuzzing") continue;
    t.rate = Math.max(100, t.rate * (0.9 + Math.random() * 0.2));
    t.execs += Math.floor(t.rate);
    const found = Math.random() < 0.3 ? Math.ceil(Math.random() * 4) : 0;
    t.edges += found;
    t.entries += found ? 1 : 0;
    t.seconds_since_edge = found ? 0 : t.seconds_since_edge + 1;
    lines.set(t.key, [...(lines.get(t.key) ?? []).slice(1), found]);
  }
  p.totals.execs = p.targets.reduce((n, t) => n + t.execs, 0);
  p.totals.edges = p.targets.reduce((n, t) => n + t.edges, 0);
  p.totals.execs_per_second = p.targets.reduce((n, t) => n + (t.state === "fuzzing" ? t.rate : 0), 0);
  p.totals.entries = p.targets.reduce((n, t) => n + t.entries, 0);
}
