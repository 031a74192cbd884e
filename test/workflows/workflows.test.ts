import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { IMAGES } from "../images/names.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, ".github/workflows");
const ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly service: readonly string[] } };
  readonly steps: readonly { readonly run?: string }[];
}

const read = (name: string) => parse(readFileSync(join(FOLDER, name), "utf8")) as Workflow;

describe("the hosted workflows", () => {
  it("pass actionlint", { timeout: 300_000 }, () => {
    const files = readdirSync(FOLDER).map((name) => join(FOLDER, name));
    const { error, status, stdout, stderr } = spawnSync("go", ["run", ACTIONLINT, ...files], {
      encoding: "utf8",
    });
    if (error && process.env["CI"] !== "true") {
      console.warn("\n*** go is not installed: actionlint is SKIPPED. ***\n");
      return;
    }
    expect([status, stdout], stderr).toEqual([0, ""]);
  });

  it("build the image of every service", () => {
    const { cluster } = read("ci.yaml").jobs;
    const { images } = read("release.yaml").jobs;
    expect(cluster?.env?.["SERVICES"]?.split(" ").sort()).toEqual(IMAGES);
    expect(images?.strategy?.matrix.service.toSorted()).toEqual(IMAGES);
  });

  it("name only existing files", () => {
    for (const name of readdirSync(FOLDER)) {
      const text = readFileSync(join(FOLDER, name), "utf8");
      const paths = text.match(/(?<![\w/])(?:\.ci|deploy|helm|test)\/[\w./-]*\w/g) ?? [];
      expect(paths.length).toBeGreaterThan(0);
      expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    }
  });

  it("pin every action by its commit, with the version that it is", () => {
    const used = readdirSync(FOLDER).flatMap(
      (name) => readFileSync(join(FOLDER, name), "utf8").match(/(?<=\buses: ).*/g) ?? [],
    );
    expect(used.length).toBeGreaterThan(5);
    const pinned = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(used.filter((action) => !pinned.test(action))).toEqual([]);
    // A version is one commit, everywhere.
    expect(new Set(used).size).toBe(new Set(used.map((action) => action.split("@")[0])).size);
  });

  it("pin both bases of the Dockerfile", () => {
    const steps = read("release.yaml").jobs["images"]?.steps ?? [];
    const script = steps.map(({ run = "" }) => run).join("\n");
    const dockerfile = readFileSync(join(ROOT, "deploy/Dockerfile"), "utf8");
    for (const [, name = "", image = ""] of dockerfile.matchAll(/^ARG (\w+_IMAGE)=(.*)$/gm)) {
      expect(image).toMatch(/^[\w./-]+:[\w.-]+$/);
      expect(script).toContain(`--build-arg ${name}="$(pinned ${name})"`);
    }
  });
});

describe("the changelog", () => {
  const ask = async (text: string, ...args: string[]) => {
    const folder = await mkdtemp(join(tmpdir(), "nutrition-changelog-"));
    const CHANGELOG = join(folder, "CHANGELOG.md");
    await writeFile(CHANGELOG, text);
    const env = { ...process.env, CHANGELOG };
    const output = execFileSync(join(ROOT, ".ci/changelog"), args, { env, encoding: "utf8" });
    await rm(folder, { recursive: true });
    return output;
  };
  const unreleased = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- New.\n";
  const released = `${unreleased}\n## [1.2.0] - 2026-12-01\n\n- Two.\n\n## [1.2.0-rc.1] - 2026-11-30\n\n- One.\n`;

  it("names the newest version, and none before the first", async () => {
    expect(await ask(released, "version")).toBe("1.2.0\n");
    expect(await ask(unreleased, "version")).toBe("");
  });

  it("contains only a version's own section", async () => {
    expect((await ask(released, "notes", "1.2.0")).trim()).toBe("- Two.");
    expect((await ask(released, "notes", "1.2.0-rc.1")).trim()).toBe("- One.");
  });
});
