// What the programs that drive a browser share: Chromium of the system, and when a page is complete.

import { chromium } from "playwright-core";

/** launch starts Chromium without a window. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"], timeout: 120_000 });
}

/** complete waits until a page has its data. */
export async function complete(page) {
  await page.waitForSelector("main[data-ready=true]");
  await page.waitForSelector("main .loading", { state: "detached" });
  await page.waitForSelector("main h1");
}
