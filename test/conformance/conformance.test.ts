import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { System } from "../e2e/system.ts";
import type { AuthorizingProxy } from "./authorizing-proxy.ts";
import { startAuthorizingProxy } from "./authorizing-proxy.ts";
import { raiseLimits } from "./raised-limits.ts";
import { runTool } from "./run-tool.ts";

const SUITE = {
  packageName: "@modelcontextprotocol/conformance",
  command: "dist/index.js",
};
const INSPECTOR = {
  packageName: "@modelcontextprotocol/inspector",
  command: "clients/launcher/build/index.js",
};

let folder: string;
let system: System;
let proxy: AuthorizingProxy;
let key: string;
const ends = new AsyncDisposableStack();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-conformance-"));
  ends.defer(() => rm(folder, { recursive: true }));
  const { file } = ends.use(await raiseLimits());
  system = ends.use(await System.start({ LIMITS_POLICY_FILE: file }));
  ({ key } = await system.account("conformance@example.com", "--premium"));
  proxy = ends.use(await startAuthorizingProxy(system.baseUrl, key));
}, 90_000);
afterAll(() => ends.disposeAsync());

/** Runs the suite for a revision, with a file of known exceptions. */
function runSuite(revision: string, notApplicable: string, ...options: string[]) {
  const args = ["server", "--url", `${proxy.url}/mcp`, "--expected-failures", notApplicable];
  const scope = options.length > 0 ? options : ["--requirements", revision];
  return runTool(SUITE, [...args, ...scope, "-o", join(folder, revision)], folder);
}

function notApplicableTo(revision: string): string {
  return join(import.meta.dirname, `not-applicable-${revision}.yaml`);
}

describe("the official conformance suite", () => {
  it.each([
    [
      "2026-07-28",
      ["tools-list", "http-header-validation", "dns-rebinding-protection", "server-stateless"],
    ],
    ["2025-11-25", ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"]],
  ])(
    "passes for revision %s, except for checks that need fixtures",
    async (revision, scenarios) => {
      const { exitCode, stdout } = await runSuite(revision, notApplicableTo(revision));
      expect(exitCode, stdout).toBe(0);
      expect(stdout).toContain("Baseline check passed");
      for (const scenario of scenarios) {
        expect(stdout).toMatch(new RegExp(`${scenario}: [1-9][0-9]* passed`));
      }
      // Not required of a server, so the exit code does not cover it.
      if (revision === "2026-07-28") {
        expect(stdout).toContain("http-header-validation: 14 passed, 0 failed");
      }
    },
    45_000,
  );

  it("fails on an exception that is no longer needed", async () => {
    const stale = join(folder, "stale.yaml");
    await writeFile(stale, "server:\n  - ping\n");
    const { exitCode, stdout } = await runSuite("2025-11-25", stale, "--scenario", "ping");
    expect(exitCode, stdout).toBe(1);
    expect(stdout).toMatch(/stale/i);
  }, 45_000);

  it.each(["2026-07-28", "2025-11-25"])(
    "has exceptions for %s only for fixtures, each with its reason",
    async (revision) => {
      const lines = (await readFile(notApplicableTo(revision), "utf8")).split("\n");
      const entries = lines.flatMap((line, index) => (/^ *- /.test(line) ? [index] : []));
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of entries) {
        expect(lines[entry - 1], lines[entry]).toMatch(/^ {2}# needs .*(fixture|session)/);
      }
    },
  );
});

describe("the official Inspector, in strict mode", () => {
  it.each(["modern", "legacy"])(
    "accepts the list of tools in the %s era",
    async (era) => {
      const options = [
        "--transport",
        "http",
        "--protocol-era",
        era,
        "--strict",
        "--format",
        "json",
      ];
      const credentials = ["--header", `Authorization: Bearer ${key}`];
      const { exitCode, stdout, stderr } = await runTool(
        INSPECTOR,
        [
          ...["--cli", `${system.baseUrl}/mcp`, "--method", "tools/list"],
          ...[...options, ...credentials],
        ],
        folder,
      );
      expect(stderr).not.toMatch(/Warning|Error/);
      expect(exitCode, stderr).toBe(0);
      const { result } = JSON.parse(stdout) as { result: { tools: unknown[] } };
      expect(result.tools).toHaveLength(8);
    },
    45_000,
  );
});
