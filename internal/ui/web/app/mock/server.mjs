// A server with invented data and the API of the dashboard: run npm run mock, and open the address that it prints. It serves dist/, and npm
// run dev uses its API. It has no token and no checks.

/** @import { Accepted, CampaignPage, Failure, Info, LogEntry, Order } from "../src/answers" */
/** @import { IncomingMessage, Server, ServerResponse } from "node:http" */
/** @import { AddressInfo } from "node:net" */

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import * as data from "./data.mjs";

/** @param {number} second */
const iso = (second) => new Date(second * 1000).toISOString();
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
/** @type {Record<string, string>} */
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @type {Info} */
const info = { version: "v0.0.0-mock", go: "go1.26.1", control: true, mode: "fuzz", live: 12, module: "github.com/example/markup", csrf: "mock" };
/** @type {Set<ServerResponse>} */
const streams = new Set();

/** running returns the campaign that runs. */
function running() {
  return /** @type {CampaignPage} */ (data.pages.get("12"));
}

/** @param {ServerResponse} res @param {object | null} value */
function json(res, value) {
  if (value === null) return fail(res, 404, "There is no such thing.");
  res.writeHead(200, { "Content-Type": "application/json" });
  res.end(JSON.stringify(value));
}

/** @param {ServerResponse} res @param {number} status @param {string} error */
function fail(res, status, error) {
  /** @type {Failure} */
  const failure = { error };
  res.writeHead(status, { "Content-Type": "application/json" });
  res.end(JSON.stringify(failure));
}

/** @param {IncomingMessage} req @returns {Promise<Order>} */
async function body(req) {
  let text = "";
  for await (const part of req) text += part;
  return JSON.parse(text);
}

/** @param {IncomingMessage} req @param {ServerResponse} res @param {URL} url */
async function api(req, res, url) {
  const [, ...path] = url.pathname.slice(1).split("/").map(decodeURIComponent);
  /** @param {string} name */
  const q = (name) => url.searchParams.get(name) ?? "";
  const page = path[0] === "campaigns" && path[1] ? (data.pages.get(path[1]) ?? null) : undefined;
  if (req.method === "POST") {
    const sent = await body(req);
    if (path[0] === "control" && sent.action !== "stop") running().paused = sent.action === "pause";
    if (path[0] === "known") data.markKnown(sent.id, sent.reason ?? "", sent.until);
    /** @type {Accepted} */
    const accepted = { ok: true };
    return json(res, accepted);
  }
  if (path[0] === "info") return json(res, info);
  if (path[0] === "campaigns" && path.length === 1) return json(res, data.campaigns());
  if (page === null) return json(res, null);
  if (page && path.length === 2) return json(res, page);
  if (page && path[2] === "events") {
    if (page.campaign.state !== "running") {
      res.writeHead(204);
      return res.end();
    }
    res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    streams.add(res);
    req.on("close", () => streams.delete(res));
    return;
  }
  if (page && path[2] === "sparks") return json(res, data.sparks(path[1]));
  if (page && path[2] === "targets" && path.length === 4) return json(res, data.targetPage(path[1], path[3]));
  if (page && path[4] === "corpus") return json(res, data.corpus(path[1], path[3], Number(q("offset")), Number(q("limit") || 100), q("q")));
  if (path[0] === "entries") return json(res, data.entry(path[1], path[2]));
  if (path[0] === "findings") return json(res, path[1] ? data.findingPage(path[1]) : data.findingList());
  if (path[0] === "frontier") return json(res, data.frontier(q("campaign")));
  if (path[0] === "sources" && path[1] === "file") return json(res, data.sourceFile(q("campaign"), q("file")));
  if (path[0] === "sources") {
    const found = data.sources(q("campaign"));
    return found ? json(res, found) : fail(res, 404, "It is not known which statements are reached: run gnaw fuzz -cover or gnaw cover.");
  }
  if (path[0] === "compare") return json(res, data.compare(q("a"), q("b")));
  return json(res, null);
}

/** @param {ServerResponse} res @param {string} path */
async function file(res, path) {
  const name = normalize(path).replace(/^[/\\.]+/, "");
  const found = extname(name) ? await readFile(join(dist, name)).catch(() => null) : null;
  const type = found ? (types[extname(name)] ?? "application/octet-stream") : types[".html"];
  res.writeHead(200, { "Content-Type": type, "Content-Security-Policy": policy });
  res.end(found ?? (await readFile(join(dist, "index.html"))));
}

/**
 * serve listens on a port of the loopback interface and returns the server; port 0 is any free one.
 * @param {number} port @returns {Promise<Server>}
 */
export function serve(port) {
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? "/", "http://127.0.0.1");
    const answer = url.pathname.startsWith("/api/") ? api(req, res, url) : file(res, url.pathname);
    answer?.catch((e) => fail(res, 500, String(e)));
  });
  const beat = setInterval(() => {
    data.advance();
    const { log: _, ...state } = running();
    for (const res of streams) res.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
  }, 1000);
  server.on("close", () => clearInterval(beat));
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

/**
 * drained waits until a client has read what was written, or is gone.
 * @param {ServerResponse} res @returns {Promise<void>}
 */
function drained(res) {
  return new Promise((resolve) => {
    const done = () => {
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.on("drain", done).on("close", done);
  });
}

/**
 * replay sends the events of some seconds of campaign 12 to all pages as fast as they read: each second has a state and 20 lines of the log.
 * @param {number} from @param {number} to
 */
export async function replay(from, to) {
  const { log: _, ...state } = running();
  /** @param {number} second @param {number} n @returns {LogEntry} */
  const line = (second, n) => ({ at: iso(second), event: "warning", target: `Fuzz${n}`, text: `second ${second}.${n}` });
  for (let second = from; second < to; second++) {
    let text = `event: state\ndata: ${JSON.stringify({ ...state, at: iso(second) })}\n\n`;
    for (let n = 0; n < 20; n++) text += `event: log\nid: ${20 * second + n + 1}\ndata: ${JSON.stringify(line(second, n))}\n\n`;
    for (const res of streams) {
      if (!res.write(text)) await drained(res);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.env.PORT ?? 4680));
  console.log(`http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}/`);
}
