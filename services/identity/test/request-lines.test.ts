import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import { expect, test } from "vitest";

import { startIdentity } from "../src/service.ts";
import { EMAIL, PASSWORD, testConfig } from "./target.ts";

test("logs one line per request with its route and outcome, and no personal data", async () => {
  const lines: object[] = [];
  const logger: Logger = { ...silentLogger, info: (facts) => void lines.push(facts) };
  {
    await using identity = await startIdentity(testConfig(), { logger });
    const { issuer } = identity;
    const signIn = (password: string) =>
      fetch(`${issuer}/token?grant_type=password`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: EMAIL, password }),
      });
    for (const answer of [
      await signIn(PASSWORD),
      await signIn("wrong"),
      await fetch(`${issuer}/${EMAIL}`),
    ]) {
      await answer.text();
    }
  }
  expect(lines).toMatchObject([
    { method: "POST", route: "/token", status: 200, reason: undefined },
    { method: "POST", route: "/token", status: 400, reason: "invalid_credentials" },
    { method: "GET", route: "(none)", status: 404, reason: "not_found" },
  ]);
  const logged = JSON.stringify(lines);
  for (const secret of [EMAIL, PASSWORD, "eyJ"]) expect(logged).not.toContain(secret);
});
