// Uses the pages of a campaign that runs, for the test in internal/e2e/dashboard_test.go, which starts gnaw and this program. A line of the input
// is a JSON array with the name of a step and its arguments. The answer is a line with an object: the value of the step, why the step failed, and
// the errors of the page since the last answer. The program ends with its input.

import { createInterface } from "node:readline";
import { complete, launch } from "./browser.mjs";

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(120_000);
const errors = [];
page.on("pageerror", (e) => errors.push(`a page throws ${e.stack ?? e.message}`));
page.on("dialog", (d) => {
  errors.push(`a page opens the dialog ${d.message()}`);
  void d.dismiss();
});

const id = (name) => page.getByTestId(name);

/** until waits until a function of the page is true. */
const until = (f, arg) => page.waitForFunction(f, arg);

/**
 * click waits until an element is visible and enabled, and clicks it by a script. A click at a place on the screen could miss the element, because
 * the page changes while the campaign runs.
 */
const click = (name) =>
  until((name) => {
    const e = document.querySelector(`[data-testid=${name}]`);
    return e !== null && e.checkVisibility() && !e.disabled && (e.click(), true);
  }, name);

/** unharmed throws an error if markup of the target is a part of the page. */
async function unharmed() {
  const harmed = await page.evaluate(() => window.hacked !== undefined || document.querySelectorAll("img[src=x], svg[onload]").length > 0);
  if (harmed) throw new Error("markup of the target is a part of the page");
}

async function open(url) {
  await page.goto(url);
  await complete(page);
}

const steps = {
  /** begin opens a campaign by the address that gnaw prints, and waits until its numbers rise. */
  async begin(url) {
    await open(url);
    const before = await id("figure-execs").innerText();
    await until((text) => document.querySelector("[data-testid=figure-execs]")?.innerText !== text, before);
  },

  /** target opens the page of a target, and waits until its plots have points. */
  async target() {
    await click("target-link");
    await id("zoom-in").waitFor();
    await unharmed();
  },

  /** finding opens a finding and copies its command, which is the value. */
  async finding() {
    await click("nav-findings");
    await click("finding-link");
    const command = await id("command-rerun").innerText();
    await unharmed();
    const stack = await id("stack").innerText();
    if (!stack.includes("Parse")) throw new Error(`the stack is ${stack}`);
    for (const view of ["text", "hex", "literal"]) {
      await click(`view-${view}`);
      await unharmed();
    }
    // The page shows its message about the copy only for a moment, and a browser without a window may have no clipboard.
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void (window.copied = text);
    });
    await click("copy-rerun");
    await until((text) => window.copied === text, command);
    return command;
  },

  /** lists opens pages that show texts of all targets. */
  async lists(base) {
    for (const path of ["campaigns", "findings", "campaigns/live/log", "campaigns/live/sources", "campaigns/live/frontier"]) {
      await open(`${base}/${path}`);
      await unharmed();
    }
  },

  /** campaign opens the campaign that runs. */
  async campaign(url) {
    await open(url);
    await id("targets-row").first().waitFor();
  },

  /** gone waits until the page says that gnaw has ended. */
  async gone() {
    await until(() => ["lost", "refused"].includes(document.querySelector("[data-testid=connection]").dataset.state));
  },

  /** refused waits until the page says that it needs the address of another gnaw. */
  async refused() {
    await until(() => document.querySelector("[data-testid=connection]").dataset.state === "refused");
  },

  /** stop stops the campaign. The page then says that it has ended, and keeps its numbers. */
  async stop() {
    await click("control-stop");
    await click("control-stop-yes");
    await until(() => document.querySelector("[data-testid=control-stop]") === null && document.querySelector("[data-testid=targets-row]") !== null);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [step, ...args] = JSON.parse(line);
  const answer = { value: "", failure: "", errors: [] };
  try {
    answer.value = (await steps[step](...args)) ?? "";
  } catch (e) {
    const shown = await page.evaluate(() => location.href + document.body.innerText).catch(() => "");
    answer.failure = `${e.message}; the page is ${shown.slice(0, 3000)}`;
  }
  answer.errors = errors.splice(0);
  console.log(JSON.stringify(answer));
}
await browser.close();
