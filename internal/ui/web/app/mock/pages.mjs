// Visits each page of the mock server with Chromium, and shows it in two sizes: npm run pages [FOLDER]. A page fails if it logs an error, scrolls
// sideways, runs code of a text, or lacks something that a screen reader needs. With a folder, the program writes screenshots of each page in
// both sizes and themes.

import { mkdir } from "node:fs/promises";
import { complete, launch } from "./browser.mjs";
import { hostileTargets, pages as campaigns } from "./data.mjs";
import { serve } from "./server.mjs";

const folder = process.argv[2];
if (folder) await mkdir(folder, { recursive: true });

const key = campaigns.get("12").targets[0].key;
const waiting = campaigns.get("12").targets[5].key;
const [hostile, hostile2] = hostileTargets.map((t) => t.key);
const list = {
  campaigns: "/campaigns",
  campaign: "/",
  "campaign-findings": "/campaigns/12/findings",
  "campaign-activity": "/campaigns/12/activity",
  "campaign-log": "/campaigns/12/log",
  "campaign-ended": "/campaigns/11",
  "campaign-empty": "/campaigns/9",
  "campaign-empty-findings": "/campaigns/9/findings",
  "campaign-large": "/campaigns/8?page=2",
  target: `/campaigns/12/targets/${key}`,
  "target-waiting": `/campaigns/12/targets/${waiting}`,
  corpus: `/campaigns/12/targets/${key}/corpus`,
  entry: `/campaigns/12/targets/${key}/entries/5a4be638af264000`,
  findings: "/findings",
  finding: "/findings/89a4c0de00000001",
  sources: "/campaigns/12/sources",
  "sources-target": `/campaigns/12/sources?target=${key}`,
  "sources-empty": "/campaigns/9/sources",
  source: "/campaigns/12/source?file=expr%2Fexpr.go",
  "source-changed": "/campaigns/12/source?file=table%2Fcells.go",
  frontier: "/campaigns/12/frontier",
  "frontier-target": `/campaigns/12/frontier?target=${key}`,
  "frontier-empty": "/campaigns/9/frontier",
  "source-long": "/campaigns/12/source?file=render%2Fhtml.go",
  compare: "/compare?a=11&b=12",
  "compare-empty": "/compare",
  missing: "/nothing",
  "missing-campaign": "/campaigns/77",
  "hostile-campaign": "/campaigns/10",
  "hostile-findings": "/campaigns/10/findings",
  "hostile-activity": "/campaigns/10/activity",
  "hostile-log": "/campaigns/10/log",
  "hostile-target": `/campaigns/10/targets/${hostile}`,
  "hostile-target-2": `/campaigns/10/targets/${hostile2}`,
  "hostile-corpus": `/campaigns/10/targets/${hostile}/corpus`,
  "hostile-entry": `/campaigns/10/targets/${hostile}/entries/5a4be638af264000`,
  "hostile-finding": "/findings/89a4c0de00000008",
  "hostile-finding-2": "/findings/89a4c0de00000009",
  "hostile-sources": "/campaigns/10/sources",
  "hostile-source": "/campaigns/10/source?file=x.go",
  "hostile-frontier": "/campaigns/10/frontier",
  "hostile-compare": "/compare?a=10&b=12",
};

/** lacks returns what a page lacks, as sentences. It runs in the page. */
function lacks() {
  const bad = [];
  const of = (e) => e.outerHTML.slice(0, 120);
  if (document.querySelectorAll("h1").length !== 1) bad.push(`it has ${document.querySelectorAll("h1").length} headings of the first level`);
  for (const e of document.querySelectorAll("button, a[href], input, select")) {
    const named = e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim();
    if (!named) bad.push(`no name: ${of(e)}`);
  }
  for (const e of document.querySelectorAll("th:not([scope])")) bad.push(`no scope: ${of(e)}`);
  for (const e of document.querySelectorAll("[id]")) if (document.querySelectorAll(`[id="${CSS.escape(e.id)}"]`).length > 1) bad.push(`two have the id ${e.id}`);
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, .block, .source-scroll, .tabs, svg"));
    bad.push(`it scrolls sideways: ${document.documentElement.scrollWidth} of ${innerWidth}: ${wide.slice(0, 2).map(of).join(" ")}`);
  }
  if (window.hurt) bad.push("it runs code of a text");
  if (document.querySelector("main script, main img, main iframe")) bad.push("it has elements of a text");
  return bad;
}

const server = await serve(0);
const base = `http://127.0.0.1:${server.address().port}`;
const browser = await launch();
const sizes = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const page = await browser.newPage({ viewport: sizes.wide, colorScheme: "light", reducedMotion: "reduce" });
page.setDefaultTimeout(120_000);
let failures = 0;
let name = "";
const fail = (text) => {
  console.error(`${name}: ${text}`);
  failures++;
};
page.on("pageerror", (e) => fail(`error: ${e.message}`));
page.on("console", (m) => {
  // Chromium logs each answer with status 404. Some pages show such an answer.
  if (m.type() === "error" && !m.text().includes("404")) fail(`console: ${m.text()}`);
});

/** visit opens a page and looks at it in each size. Styles, and plots by their observers, adapt a page to a size; nothing else depends on it. */
async function visit(path) {
  await page.setViewportSize(sizes.wide);
  await page.goto(base + path);
  await complete(page);
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))); // observers have resized the plots
    for (const text of await page.evaluate(lacks)) fail(`${size}: ${text}`);
    for (const colorScheme of folder ? ["light", "dark"] : []) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png`, fullPage: process.env.FULL === "1" });
    }
  }
}

for (const [title, path] of Object.entries(list)) {
  name = title;
  await visit(path).catch((e) => fail(e.message));
}
await browser.close();
server.closeAllConnections();
server.close();
console.log(`${Object.keys(list).length} pages, ${failures} failures`);
process.exitCode = failures > 0 ? 1 : 0;
