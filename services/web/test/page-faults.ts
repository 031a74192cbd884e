import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** What is wrong with the page or the frame that is open: what axe finds, and whether it is too wide. */
export async function pageFaults(page: Page | Frame): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })",
  )) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  const faults = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  const excess = Number(
    await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    ),
  );
  return excess > 0 ? [...faults, `${excess} pixels too wide`] : faults;
}
