import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import { expect, it } from "vitest";

import { System } from "../e2e/system.ts";
import { COMMANDS, recordSession } from "./session.ts";
import { renderSession } from "./terminal.ts";

it("npm run record makes its calls and draws what they print", async () => {
  await using system = await System.start();
  const steps = await recordSession(system);
  expect(steps.map(({ command }) => command)).toEqual(COMMANDS);
  const [start, , logged, totals] = steps.map(({ output }) => output);
  expect(start).toContain("is running.");
  expect(logged).toMatch(/^Logged on \d{4}-\d\d-\d\d .*scrambled eggs/s);
  expect(Object.keys(JSON.parse(totals ?? "") as object)).toEqual(
    DAILY_AMOUNTS.map(({ key }) => key),
  );
  expect(renderSession(steps)).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
}, 120_000);
