// Writes screenshots of a dashboard: npm run screenshots -- ADDRESS FOLDER [all]. ADDRESS is the address that gnaw fuzz -http or gnaw ui
// prints, with its token. Without all, it writes only the screenshots of docs/screenshots.
//
// It shows the target with the most edges and the file with the most covered statements, so that no page is empty. The environment variable
// FINDING can name the finding to show.
//
// A screenshot has a palette of 64 colors, which makes it a third as large.

import { mkdir, writeFile } from "node:fs/promises";
import UPNG from "upng-js";
import { complete, launch } from "./mock/browser.mjs";

const [address, folder, all] = process.argv.slice(2);
if (!address || !folder) {
  console.error("usage: npm run screenshots -- ADDRESS FOLDER [all]");
  process.exit(2);
}
const base = new URL(address).origin;
const documented = [
  "campaigns-wide-light",
  "campaign-wide-light",
  "campaign-wide-dark",
  "campaign-phone-light",
  "target-wide-light",
  "target-wide-dark",
  "target-phone-light",
  "finding-wide-light",
  "finding-phone-dark",
  "source-wide-light",
  "source-phone-light",
  "corpus-wide-light",
  "frontier-wide-light",
  "compare-wide-light",
];
const sizes = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

await mkdir(folder, { recursive: true });
const browser = await launch();
const context = await browser.newContext({ reducedMotion: "reduce" });
const page = await context.newPage();
await page.goto(address);
await page.waitForSelector("main[data-ready=true]");

/** get returns the JSON of a path of the API. */
async function get(path) {
  const answer = await page.request.get(base + path);
  return answer.ok() ? answer.json() : null;
}

const most = (list, f) => [...list].sort((a, b) => f(b) - f(a))[0];
const key = (t) => t.key ?? Buffer.from(`${t.package}\n${t.target}`).toString("base64url");

/** choose returns the path of each page by its name. */
async function choose() {
  const paths = { campaigns: "/campaigns", findings: "/findings" };
  const info = await get("/api/info");
  const { campaigns } = await get("/api/campaigns");
  const id = info.live || campaigns[0]?.id;
  if (!id) return paths;
  const campaign = await get(`/api/campaigns/${id}`);
  paths.campaign = `/campaigns/${id}`;
  paths.activity = `/campaigns/${id}/activity`;
  paths.log = `/campaigns/${id}/log`;
  paths.frontier = `/campaigns/${id}/frontier`;
  const target = most(campaign.targets, (t) => t.edges);
  if (target) {
    const k = key(target);
    paths.target = `/campaigns/${id}/targets/${k}`;
    paths.corpus = `/campaigns/${id}/targets/${k}/corpus`;
    const corpus = await get(`/api/campaigns/${id}/targets/${k}/corpus?offset=0&limit=100`);
    const entry = most(corpus?.entries ?? [], (e) => e.edges ?? 0);
    if (entry) paths.entry = `/campaigns/${id}/targets/${k}/entries/${encodeURIComponent(entry.name)}`;
  }
  const listed = campaign.findings.length > 0 ? campaign.findings : (await get("/api/findings")).findings;
  const finding = process.env.FINDING ? { id: process.env.FINDING } : most(listed, (f) => (f.counts ? 1 : 0));
  if (finding) paths.finding = `/findings/${encodeURIComponent(finding.id)}`;
  const sources = await get(`/api/sources?campaign=${id}`);
  if (sources?.files.length) {
    paths.sources = `/campaigns/${id}/sources`;
    const file = most(sources.files, (f) => f.covered);
    paths.source = `/campaigns/${id}/source?file=${encodeURIComponent(file.file)}`;
  }
  const other = campaigns.find((c) => c.id !== id && c.module === campaign.campaign.module && c.targets > 0);
  if (other) paths.compare = `/compare?a=${other.id}&b=${id}`;
  return paths;
}

/** small returns a PNG with a palette instead of full colors. */
function small(png) {
  const image = UPNG.decode(png);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, 64));
}

let total = 0;
for (const [name, path] of Object.entries(await choose())) {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"]) {
      if (all !== "all" && !documented.includes(`${name}-${size}-${colorScheme}`)) continue;
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.goto(base + path);
      await complete(page);
      if (name === "source") await page.evaluate(() => document.querySelector("[data-state=uncovered]")?.scrollIntoView({ block: "center" }));
      if (name === "finding") await page.getByTestId("view-hex").first().click({ timeout: 1000 }).catch(() => {}); // an int has no hex
      await page.evaluate(() => document.activeElement?.blur());
      const data = small(await page.screenshot());
      total += data.length;
      await writeFile(`${folder}/${name}-${size}-${colorScheme}.png`, data);
      console.log(`${name}-${size}-${colorScheme}.png ${data.length}`);
    }
  }
}
await browser.close();
console.log(`${Math.round(total / 1024)} KiB`);
