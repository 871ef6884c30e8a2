// A server with invented data and the API of the dashboard: run npm run mock, and open the address that it prints. It serves dist/, and npm
// run dev uses its API. It has no token and no checks.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import * as data from "./data.mjs";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const info = { version: "v0.0.0-mock", go: "go1.26.1", control: true, mode: "fuzz", live: 12, module: "github.com/example/markup", csrf: "mock" };
const streams = new Set();

function json(res, value, status = 200) {
  if (value === null) [value, status] = [{ error: "There is no such thing." }, 404];
  res.writeHead(status, { "Content-Type": "application/json" });
  res.end(JSON.stringify(value));
}

async function body(req) {
  let text = "";
  for await (const part of req) text += part;
  return JSON.parse(text);
}

async function api(req, res, url) {
  const [, ...path] = url.pathname.slice(1).split("/").map(decodeURIComponent);
  const q = url.searchParams;
  const page = path[0] === "campaigns" && path[1] ? (data.pages.get(path[1]) ?? null) : undefined;
  if (req.method === "POST") {
    const sent = await body(req);
    if (path[0] === "control" && sent.action !== "stop") data.pages.get("12").paused = sent.action === "pause";
    if (path[0] === "known") Object.assign(data.allFindings.find((f) => f.id === sent.id) ?? {}, { known: { reason: sent.reason, until: sent.until, expired: false } });
    return json(res, {});
  }
  if (path[0] === "info") return json(res, info);
  if (path[0] === "campaigns" && path.length === 1) return json(res, { campaigns: data.campaigns() });
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
  if (page && path[4] === "corpus") return json(res, data.corpus(path[1], path[3], Number(q.get("offset") ?? 0), Number(q.get("limit") ?? 100), q.get("q") ?? ""));
  if (path[0] === "entries") return json(res, data.entry(path[1], path[2]));
  if (path[0] === "findings") return json(res, path[1] ? data.findingPage(path[1]) : { findings: data.allFindings });
  if (path[0] === "frontier") return json(res, data.frontier(q.get("campaign")));
  if (path[0] === "sources" && path[1] === "file") return json(res, data.sourceFile(q.get("campaign"), q.get("file")));
  if (path[0] === "sources") {
    const found = data.sources(q.get("campaign"));
    return found ? json(res, found) : json(res, { error: "It is not known which statements are reached: run gnaw fuzz -cover or gnaw cover." }, 404);
  }
  if (path[0] === "compare") return json(res, data.compare(q.get("a"), q.get("b")));
  return json(res, null);
}

async function file(res, path) {
  const name = normalize(path).replace(/^[/\\.]+/, "");
  const found = extname(name) ? await readFile(join(dist, name)).catch(() => null) : null;
  const type = found ? (types[extname(name)] ?? "application/octet-stream") : types[".html"];
  res.writeHead(200, { "Content-Type": type, "Content-Security-Policy": policy });
  res.end(found ?? (await readFile(join(dist, "index.html"))));
}

/** serve listens on a port of the loopback interface and returns the server; port 0 is any free one. */
export function serve(port) {
  const server = createServer((req, res) => {
    const url = new URL(req.url, "http://127.0.0.1");
    const answer = url.pathname.startsWith("/api/") ? api(req, res, url) : file(res, url.pathname);
    answer?.catch((e) => json(res, { error: String(e) }, 500));
  });
  const beat = setInterval(() => {
    data.advance();
    const { log: _, ...state } = data.pages.get("12");
    for (const res of streams) res.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
  }, 1000);
  server.on("close", () => clearInterval(beat));
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

/** drained waits until a client has read what was written, or is gone. */
function drained(res) {
  return new Promise((resolve) => {
    const done = () => {
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.on("drain", done).on("close", done);
  });
}

/** replay sends the events of some seconds of campaign 12 to all pages as fast as they read: each second has a state and 20 lines of the log. */
export async function replay(from, to) {
  const { log: _, ...state } = data.pages.get("12");
  for (let second = from; second < to; second++) {
    const line = (n) => JSON.stringify({ at: new Date(second * 1000).toISOString(), event: "warning", target: `Fuzz${n}`, text: `second ${second}.${n}` });
    let text = `event: state\ndata: ${JSON.stringify({ ...state, at: new Date(second * 1000).toISOString() })}\n\n`;
    for (let n = 0; n < 20; n++) text += `event: log\nid: ${20 * second + n + 1}\ndata: ${line(n)}\n\n`;
    for (const res of streams) {
      if (!res.write(text)) await drained(res);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.env.PORT ?? 4680));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
