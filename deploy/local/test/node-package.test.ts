import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const NODES = join(ROOT, "deploy/local/node");
/** Machines whose Node is pinned by hash, such as `linux-x64`. */
const MACHINES = readdirSync(NODES).filter((name) => name !== "node_modules");

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const manifestOf = (machine: string) =>
  JSON.parse(read(`deploy/local/node/${machine}/package.json`)) as {
    dependencies: Record<string, string>;
  };
const versionOf = (machine: string) => manifestOf(machine).dependencies[`node-${machine}`];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "node-package-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the package with Node", () => {
  it.each(MACHINES)("for %s is pinned by hash, without the address of a registry", (machine) => {
    const text = read(`deploy/local/node/${machine}/package-lock.json`);
    const { packages } = JSON.parse(text) as { packages: Record<string, object> };
    expect(packages[`node_modules/node-${machine}`]).toMatchObject({
      version: versionOf(machine),
      integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/) as string,
    });
    expect(Object.keys(packages)).toHaveLength(2);
    expect(text).not.toContain("http");
  });

  it("is the same version everywhere, that of the images, too", () => {
    expect(MACHINES).toEqual(["linux-arm64", "linux-x64"]);
    for (const machine of MACHINES) {
      const image = `ARG NODE_IMAGE=docker.io/library/node:${versionOf(machine)}-bookworm-slim`;
      expect(read("deploy/Dockerfile")).toContain(image);
    }
  });

  const own = MACHINES.find((name) => name === `${process.platform}-${process.arch}`);
  it.skipIf(own === undefined)("is refused when its content is not the one pinned", async () => {
    await cp(join(NODES, own!, "package.json"), join(folder, "package.json"));
    const lock = read(`deploy/local/node/${own}/package-lock.json`);
    const other = lock.replaceAll(/sha512-[^"]+/g, `sha512-${"A".repeat(86)}==`);
    await writeFile(join(folder, "package-lock.json"), other);
    const args = ["ci", "--prefix", folder, "--no-audit", "--no-fund", "--prefer-offline"];
    const { status, stderr } = spawnSync("npm", args, { encoding: "utf8" });
    expect(status).not.toBe(0);
    expect(stderr).toContain("EINTEGRITY");
  });
});
