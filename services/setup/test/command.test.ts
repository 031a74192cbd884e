import { ManualClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { expect, test } from "vitest";

import { runCommand } from "../src/run-command.ts";

const patience = { clock: new ManualClock("2026-01-01T00:00:00Z"), logger: silentLogger };
const run = (args: string[], environment: NodeJS.ProcessEnv = {}) =>
  runCommand(args, environment, patience).catch(String);

test("names all invalid variables at once without showing their values", async () => {
  const env = { DATABASE_ADMIN_URL: "hunter2", DATABASE_PASSWORD_JOURNAL: "of-journal" };
  const result = await run(["database"], env);
  for (const name of ["ADMIN_URL", "PASSWORD_AUTH", "PASSWORD_LIMITS", "PASSWORD_ANALYSIS"]) {
    expect(result).toContain(`DATABASE_${name}`);
  }
  expect(result).not.toMatch(/hunter2|of-journal|DATABASE_PASSWORD_JOURNAL/);
});

test.each([[[]], [["secret"]], [["secrets"]], [["database", "now"]]])(
  "prints the usage for %j",
  async (args) => {
    expect(await run(args)).toContain("Usage: setup database");
  },
);

test("creates Secrets only in a pod", async () => {
  expect(await run(["secrets", "name"])).toContain("KUBERNETES_SERVICE_HOST: is missing");
});
