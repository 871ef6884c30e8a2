// Uses the pages of the mock server with the mouse and the keyboard: npm run use. Each step waits for its results, and fails if they do not
// appear before the timeout of Playwright.

import { launch } from "./browser.mjs";
import { pages as campaigns } from "./data.mjs";
import { replay, serve } from "./server.mjs";

let server = await serve(0);
const port = server.address().port;
const base = `http://127.0.0.1:${port}`;
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, permissions: ["clipboard-read", "clipboard-write"] });
const page = await context.newPage();
page.setDefaultTimeout(60_000);
const id = (name) => page.getByTestId(name);
const key = campaigns.get("12").targets[0].key;

async function step(name, f) {
  try {
    await f();
    console.log(`ok ${name}`);
  } catch (e) {
    console.error(`FAIL ${name}: ${e.message}`);
    process.exitCode = 1;
  }
}

function must(ok, text) {
  if (!ok) throw new Error(text);
}

/** until waits until a function of the page is true. */
const until = (f, arg) => page.waitForFunction(f, arg);

async function stop() {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

await step("the first page is the campaign that runs, and its numbers rise", async () => {
  await page.goto(base + "/");
  await page.waitForURL("**/campaigns/12");
  const before = await id("figure-execs").innerText();
  await until((text) => document.querySelector("[data-testid=figure-execs]").innerText !== text, before);
});

await step("a click sorts, a second one reverses, and both survive a reload", async () => {
  const sort = id("targets-sort-edges");
  await sort.click();
  await sort.click();
  const order = () => page.locator("[data-testid=targets] th[aria-sort=ascending]").innerText();
  must((await order()).startsWith("Edges"), `sorted by ${await order()}`);
  await page.reload();
  await id("targets-row").first().waitFor();
  must((await order()).startsWith("Edges"), `sorted by ${await order()} after the reload`);
});

await step("the filter keeps rows with each word", async () => {
  await id("targets-filter").fill("fuzz render");
  await until(() => document.querySelectorAll("[data-testid=targets-row]").length === 2);
  await id("targets-filter").fill("nothing has this");
  await page.getByText("No row matches the filter.").waitFor();
  await id("targets-filter").fill("");
});

await step("a theme is chosen and survives a reload", async () => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await id("theme").selectOption("dark");
  const dark = await background();
  must(light !== dark, `the background stays ${light}`);
  await page.reload();
  must((await background()) === dark, "the reload forgets the theme");
  await id("theme").selectOption("system");
});

await step("the server stops: the page says so; it starts again: the page goes on", async () => {
  await page.goto(base + "/campaigns/12");
  await id("targets-row").first().waitFor();
  await stop();
  await page.locator("[data-testid=connection][data-state=lost]").waitFor();
  must(await id("targets-row").first().isVisible(), "what was there is gone");
  server = await serve(port);
  await page.locator("[data-testid=connection][data-state=ok]").waitFor();
  const before = await id("figure-execs").innerText();
  await until((text) => document.querySelector("[data-testid=figure-execs]").innerText !== text, before);
});

await step("a page that fetches nothing more also says that the server has stopped", async () => {
  await page.goto(base + "/campaigns/11");
  await id("targets-row").first().waitFor();
  await stop();
  await page.locator("[data-testid=connection][data-state=lost]").waitFor();
  server = await serve(port);
  await page.locator("[data-testid=connection][data-state=ok]").waitFor();
});

await step("a browser that the server refuses shows what to do", async () => {
  await page.route("**/api/**", (route) => route.fulfill({ status: 401, json: { error: "no" } }));
  await page.goto(base + "/campaigns");
  await page.locator("[data-testid=connection][data-state=refused]").waitFor();
  await page.unroute("**/api/**");
  await id("campaigns-row").first().waitFor();
});

await step("plots zoom by a drag, by buttons and back", async () => {
  await page.goto(`${base}/campaigns/12/targets/${key}`);
  const box = await page.locator("[data-testid=plot-edges] .u-over").boundingBox();
  await page.mouse.move(box.x + 60, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await page.locator("[data-zoomed=true]").waitFor();
  await id("zoom-reset").click();
  await page.locator("[data-zoomed=false]").waitFor();
  await id("zoom-in").focus();
  await page.keyboard.press("Enter");
  const range = await id("zoom-range").innerText();
  must(range.includes(" to ") && !range.includes("drag"), `the range is ${range}`);
  await id("zoom-left").press("Enter");
  must((await id("zoom-range").innerText()) !== range, "the range does not move");
});

await step("the command of a finding is copied", async () => {
  await page.goto(base + "/findings");
  await id("finding-link").first().click();
  await Promise.all([page.getByText("Copied").waitFor(), id("copy-rerun").click()]); // the text is there for a moment only
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const shown = await id("command-rerun").innerText();
  must(copied === shown, `${copied} is copied, ${shown} is shown`);
});

await step("an input is shown as Go literal, hex and text, with the bytes that matter", async () => {
  must((await id("matter").innerText()).includes("bytes that matter: 1–2"), "the ranges");
  must((await id("matter-legend").innerText()).startsWith("Underlined bytes matter"), "the legend");
  for (const [view, marked] of [["literal", "%0"], ["hex", "25 30"], ["text", "%0"]]) {
    await id(`view-${view}`).click();
    const mark = page.locator(`[data-testid=${view}] mark`).first();
    must((await mark.innerText()) === marked, view);
    must((await mark.evaluate((e) => getComputedStyle(e).textDecorationLine)) === "underline", `${view} is marked by color alone`);
  }
  must((await page.locator("[data-testid=text]").innerText()).includes("0%0"), "text");
});

await step("a finding is marked as known", async () => {
  await id("known-reason").fill("<b>fixed</b> upstream");
  await id("known-submit").click();
  await page.getByTestId("known").getByText("<b>fixed</b> upstream").waitFor();
});

await step("a campaign is paused, resumed, and only stopped after a question", async () => {
  await page.goto(base + "/campaigns/12");
  await id("control-pause").click();
  await id("control-resume").click();
  await id("control-pause").waitFor();
  await id("control-stop").click();
  await id("control-stop-yes").waitFor();
  await page.getByText("Keep running").click();
  await id("control-stop").waitFor();
});

await step("a line shows the entry that reaches it, and a key finds the lines that no entry reaches", async () => {
  await page.goto(base + "/campaigns/12/source?file=expr%2Fexpr.go");
  await id("hits-18").click();
  await id("line-entry").waitFor();
  await id("next-uncovered").press("Enter");
  must((await page.evaluate(() => document.activeElement.textContent)) === "41", "the focus is elsewhere");
});

await step("a mark shows the branch of a line and its command, and a key finds the marks", async () => {
  await id("next-branch").press("Enter");
  must((await page.evaluate(() => document.activeElement.dataset.testid)) === "mark-20", "the focus is elsewhere");
  await page.keyboard.press("Enter");
  await id("line-branch").getByText("err == nil && p.at < len(p.text): never true").waitFor();
  const shown = await id("command-frontier").innerText();
  must(shown === "gnaw frontier FuzzEval github.com/example/markup/expr", `the command is ${shown}`);
});

await step("the frontier leads to the line, and a command is copied", async () => {
  await page.goto(base + "/campaigns/12");
  await id("tab-frontier").click();
  await id("frontier-row").first().waitFor();
  await Promise.all([page.getByText("Copied", { exact: true }).waitFor(), id("copy-frontier").first().click()]);
  must((await page.evaluate(() => navigator.clipboard.readText())).startsWith("gnaw frontier FuzzEval"), "something else is copied");
  await id("frontier-link").first().click();
  await page.waitForURL("**/source?file=expr%2Fexpr.go#L20");
  await id("mark-20").waitFor();
});

await step("two campaigns are chosen and compared", async () => {
  await page.goto(base + "/campaigns");
  await id("compare-choose").nth(1).check();
  await id("compare-choose").nth(0).check();
  await id("compare").click();
  await page.waitForURL("**/compare?a=11&b=12");
  await id("compare-row").first().waitFor();
});

await step("the keyboard reaches everything, the link to the content first", async () => {
  await page.goto(base + "/campaigns/12");
  await id("targets-row").first().waitFor();
  await page.keyboard.press("Tab");
  must((await page.evaluate(() => document.activeElement.textContent)).includes("Skip"), "the first stop is not the link to the content");
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.dataset.testid ?? ""));
  }
  for (const name of ["nav-findings", "theme", "control-pause", "tab-log", "targets-filter", "targets-sort-edges", "target-link"]) must(reached.has(name), `${name} is not reached`);
});

await step("a link takes the focus to the heading, and back returns", async () => {
  await id("target-link").first().click();
  await until(() => document.activeElement?.tagName === "H1");
  await page.goBack();
  await id("targets-row").first().waitFor();
});

await step("the stability is in the table of an ended campaign and on the page of a target", async () => {
  await page.goto(base + "/campaigns/11");
  await id("targets-sort-stability").click();
  const shown = await page.locator("[data-column=stability]").first().innerText();
  must(/^98\.\d %$/.test(shown), `the stability is ${shown}`);
  await id("target-link").first().click();
  await id("figure-stability").waitFor();
  must((await id("figure-stability").innerText()).includes(shown), "the page of the target has another stability");
});

await step("a thousand targets sort and filter", async () => {
  await page.goto(base + "/campaigns/8");
  await id("targets-row").first().waitFor();
  const times = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const list = [];
    for (let i = 0; i < 10; i++) {
      const from = performance.now();
      document.querySelector("[data-testid=targets-sort-edges]").click();
      await frame();
      list.push(performance.now() - from);
    }
    return list.sort((a, b) => a - b);
  });
  console.log(`   a click to sort is drawn after ${times[5].toFixed(0)} ms (median), ${times[9].toFixed(0)} ms (worst)`);
  await id("targets-sort-spark").click();
  await until(() => document.querySelector("[data-testid=targets-row] .spark .bars")?.getAttribute("d"));
  await id("targets-filter").fill("FuzzEval71");
  await until(() => document.querySelectorAll("[data-testid=targets-row]").length === 1);
});

await step("an hour of events leaves the memory flat", async () => {
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  const used = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name) => metrics.find((m) => m.name === name).value;
    return { heap: of("JSHeapUsedSize"), nodes: of("Nodes"), listeners: of("JSEventListeners") };
  };
  const bound = 4 << 20; // bytes; the states and lines of the second half have more than twice as many
  for (const part of ["log", ""]) {
    await page.goto(`${base}/campaigns/12/${part}`);
    // A state behind all others shows that the page reads the stream, and that it has read all of it.
    const more = () => until((n) => Number(document.querySelector("[data-testid=figure-execs] [title]")?.title.replaceAll(",", "")) > n, campaigns.get("12").totals.execs);
    await more();
    await replay(0, 1800);
    await more();
    const before = await used();
    await replay(1800, 3600);
    await more();
    if (part === "log") must((await id("log-row").first().innerText()).includes("second 3599.19"), "the newest line of the log is missing");
    const after = await used();
    const grown = after.heap - before.heap;
    console.log(`   ${part || "targets"}: the heap has ${(after.heap / (1 << 20)).toFixed(1)} MiB, ${(grown / 1024).toFixed(0)} KiB more than after half of the events`);
    must(grown < bound, `the heap grows by ${grown} bytes`);
    must(after.nodes < before.nodes * 1.5 && after.listeners < before.listeners * 1.5, `there are ${after.nodes} nodes and ${after.listeners} listeners, after ${before.nodes} and ${before.listeners}`);
  }
});

await browser.close();
await stop();
