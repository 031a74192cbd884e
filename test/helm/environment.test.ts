import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readDatabaseConfig } from "@nutrition/setup/config";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { unreadVariables } from "../unread-variables.ts";
import { checkConfig, environmentOf } from "./environment.ts";
import type { Manifest } from "./helm.ts";
import { CHART, isWithoutHelm, render } from "./helm.ts";
import { componentOf, podsOf } from "./pods.ts";

const POLICIES = "/etc/nutrition/limits";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-policies-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes the files of a ConfigMap to the paths of its mount. */
async function mountPolicies(
  manifests: readonly Manifest[],
  environment: Record<string, string>,
): Promise<Record<string, string>> {
  const file = environment["LIMITS_POLICY_FILE"];
  if (file === undefined) return environment;
  const map = manifests.find(({ metadata }) => metadata.name.endsWith("-policies"));
  for (const [name, text] of Object.entries(map?.data ?? {})) {
    await writeFile(join(folder, name), text);
  }
  return { ...environment, LIMITS_POLICY_FILE: file.replace(POLICIES, folder) };
}

describe.skipIf(isWithoutHelm())("the chart's environment", () => {
  describe.each(readdirSync(join(CHART, "ci")))("with %s", (values) => {
    const manifests = isWithoutHelm() ? [] : render(values);
    const deployed = podsOf(manifests).filter(({ owner }) => owner.kind === "Deployment");

    it("is valid for every service", { timeout: 240_000 }, async () => {
      const checks = deployed.map(async ({ owner, pod: { containers } }) => {
        const environment = environmentOf(containers[0]!);
        const service = componentOf(owner);
        const checked = await checkConfig(service, await mountPolicies(manifests, environment));
        return { service, ...checked };
      });
      const refused = (await Promise.all(checks)).filter(({ code }) => code !== 0);
      expect(refused).toEqual([]);
      expect(checks.length).toBeGreaterThanOrEqual(6);
    });

    it("has no variable that its service does not read", () => {
      for (const { owner, pod } of deployed) {
        const service = componentOf(owner);
        const unread = unreadVariables(service, environmentOf(pod.containers[0]!));
        expect([service, unread]).toEqual([service, []]);
      }
    });

    it("lets setup reach the database", () => {
      const job = podsOf(manifests).find(({ owner }) => componentOf(owner) === "migrate");
      const { passwords } = readDatabaseConfig(environmentOf(job!.pod.containers[0]!));
      for (const { owner, pod } of deployed) {
        const { DATABASE_URL: url } = environmentOf(pod.containers[0]!);
        if (url === undefined) continue;
        expect(new URL(url)).toMatchObject({
          username: componentOf(owner),
          password: passwords[componentOf(owner)],
        });
      }
    });
  });

  it("is refused by a service when it is invalid (control for these tests)", async () => {
    const { code, log } = await checkConfig("gateway", { DEPLOYMENT: "production" });
    expect(code).toBe(1);
    expect(log).toContain("INTERNAL_TLS");
  }, 60_000);
});
