import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { SHIPPED_POLICIES } from "../config.ts";
import { readPolicyLimits } from "./policy-limits.ts";

it("shows each shipped limit that applies to clients", () => {
  expect(readPolicyLimits(SHIPPED_POLICIES)).toMatchObject(
    [
      ["Requests of an API key", "120 in 1 hour"],
      ["Requests of a connection (OAuth), for each user and client", "240 in 1 hour"],
      ["Requests of an account", /^3,000 in/],
      ["Writes", "12 in 10 minutes, 25 in 1 hour, 60 in 1 day, 1,000 in 30 days"],
      ["Created lines", /, 40 in 1 day for one journal date$/],
      ["Failed analyses", /in 1 hour$/],
    ].map(([what, limit]) => [
      what,
      limit instanceof RegExp ? (expect.stringMatching(limit) as string) : limit,
    ]),
  );
});

it("shows the limits in the operator's own file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nutrition-policies-"));
  const file = join(folder, "policies.json");
  const own = { name: "any", counts: "api_key_requests", max: 7, window_seconds: 60 };
  await writeFile(file, JSON.stringify({ policies: [own], overrides: [] }));
  expect(readPolicyLimits(file)).toEqual([["Requests of an API key", "7 in 1 minute"]]);
  await rm(folder, { recursive: true });
  expect(() => readPolicyLimits(file)).toThrow("no such file");
});
