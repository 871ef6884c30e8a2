import { expect, test } from "vitest";
import preact from "../node_modules/preact/LICENSE?raw";
import uplot from "../node_modules/uplot/LICENSE?raw";
import { dependencies } from "../package.json";
import licenses from "../public/licenses.txt?raw";

test("the licenses of all that is in the bundle come with it", () => {
  expect(Object.keys(dependencies)).toEqual(["preact", "uplot"]);
  expect(licenses).toContain(preact.trim());
  expect(licenses).toContain(uplot.trim());
});
