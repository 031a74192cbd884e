import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** Problems of the open page or frame: those that axe finds, and horizontal overflow. */
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
