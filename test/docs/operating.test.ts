import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { runCommandLine } from "@nutrition/admin/command-line";
import { Services } from "@nutrition/admin/services";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { describe, expect, it } from "vitest";

import { CHART, HELM, isWithoutHelm, KUBERNETES } from "../helm/helm.ts";

const ROOT = join(import.meta.dirname, "../..");
const RUNBOOKS = readdirSync(join(ROOT, "docs/runbooks")).map((name) => `docs/runbooks/${name}`);
const PAGES = ["docs/operating.md", "README.md", "helm/nutrition-journal/README.md"].concat(
  RUNBOOKS,
);
const RELEASE = "nutrition-journal";

/** Commands in the shell blocks of a page, without multi-line ones. */
function commandsOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block = ""]) => block);
  return blocks
    .flatMap((block) => block.replaceAll(/\\\n/g, " ").split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

const commands = PAGES.flatMap(commandsOf);
const matching = (pattern: RegExp) =>
  commands.flatMap((command) => [...command.matchAll(pattern)].map(([, found = ""]) => found));

function template(...args: readonly string[]): string {
  const place = ["--namespace", "journal", "--kube-version", KUBERNETES];
  const run = spawnSync(HELM, ["template", RELEASE, CHART, ...place, ...args], {
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}
const values = (name: string) => ["--values", join(CHART, "ci", name)];

describe("the commands of the pages for operators", () => {
  it("name only existing files", () => {
    const files = matching(/(?<=[\s=])((?:helm|deploy|tilt)\/[\w./-]+)/g);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it("run existing scripts, and known commands of the operator", async () => {
    using services = new Services(() => {
      throw new Error("Help needs no services.");
    });
    const { stdout: help } = await runCommandLine(["--help"], services, async () => {});

    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    for (const name of matching(/npm run (?:-s )?([\w:-]+)/g)) expect(scripts).toHaveProperty(name);
    for (const words of matching(/npm run -s admin -- ([a-z]+(?: [a-z]+)?)/g)) {
      expect(help.replaceAll(/ +/g, " ")).toContain(words);
    }
  });

  it.skipIf(isWithoutHelm())("name only objects of the chart", () => {
    const rendered = template(...values("trial.yaml")) + template(...values("production.yaml"));
    const named = matching(new RegExp(`\\b(${RELEASE}-[a-z-]+(?:-0)?)(?=[\\s/']|$)`, "g"));
    // Created or deleted by the operator, or named by the cluster.
    const others = new Set(["nutrition-journal-secrets", "nutrition-journal-postgres-0"]);
    expect(named.length).toBeGreaterThan(8);
    for (const name of named) {
      if (!others.has(name)) expect(rendered, name).toMatch(new RegExp(`[Nn]ame: ${name}\\b`));
    }
  });

  it.skipIf(isWithoutHelm())("select objects by labels of the chart", () => {
    const rendered = template(...values("trial.yaml"));
    const selectors = matching(/(app\.kubernetes\.io\/[\w-]+=[\w-]+)/g);
    expect(selectors.length).toBeGreaterThan(6);
    for (const selector of selectors) expect(rendered).toContain(selector.replace("=", ": "));
  });

  it.skipIf(isWithoutHelm())("set only values of the chart", () => {
    const settings = matching(/--set ([\w.]+=\S+)/g);
    expect(settings.length).toBeGreaterThan(1);
    for (const setting of settings) template(...values("minimal.yaml"), "--set", setting);
  });

  it.skipIf(isWithoutHelm())("make the test's pod run the operator's command line", () => {
    const [script = ""] = matching(/sed '(s\|command[^']*)'/g);
    const hooks = template(...values("trial.yaml"), "--show-only", "templates/tests/log-food.yaml");
    const changed = execFileSync("sed", [script], { input: hooks, encoding: "utf8" });
    expect(changed).toContain("command: [node, /app/main.ts, doctor]");
    expect(changed.split("\n")).toHaveLength(hooks.split("\n").length);
  });

  it("query only existing tables and columns", async () => {
    const folder = join(ROOT, "services/auth/migrations");
    await using auth = await createTestDatabase("auth", folder);
    const statements = matching(/psql .* -c "([^"]+)"/g);
    expect(statements.length).toBeGreaterThan(0);
    for (const text of statements) await auth.database.query({ text, values: [] });
  });
});
