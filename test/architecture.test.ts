import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-architecture-"));
  await copyFile(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The linter's verdict on a file that would stand at `path`. */
async function lint(path: string, text: string): Promise<{ passes: boolean; output: string }> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  const oxlint = join(ROOT, "node_modules/.bin/oxlint");
  const { status, stdout } = spawnSync(oxlint, [path], { cwd: folder, encoding: "utf8" });
  return { passes: status === 0, output: stdout };
}

describe("the rules on imports", () => {
  it.each([
    ["domain", "@nutrition/postgres/database", "The domain is pure"],
    ["domain", "@nutrition/proto/nutrition/journal/v1/journal_pb", "The domain is pure"],
    ["domain", "../store/entry-store.ts", "The domain is pure"],
    ["domain/text", "../../store/entry-store.ts", "The domain is pure"],
    ["store", "../rpc/log-food.ts", "The store knows SQL"],
    ["operations", "../rpc/log-food.ts", "An operation does not know the wire"],
  ])("refuse an import in %s of %s", async (room, target, message) => {
    const verdict = await lint(
      `services/journal/src/${room}/refused.ts`,
      `import { thing } from "${target}";\n\nthing();\n`,
    );
    expect(verdict).toMatchObject({ passes: false });
    expect(verdict.output).toContain(message);
  });

  it.each([
    ["domain", "@nutrition/core/civil-date"],
    ["domain", "./portion.ts"],
    ["store", "../domain/entry.ts"],
    ["rpc", "../operations/log-food.ts"],
  ])("allow an import in %s of %s", async (room, target) => {
    const verdict = await lint(
      `services/journal/src/${room}/allowed.ts`,
      `import { thing } from "${target}";\n\nthing();\n`,
    );
    expect(verdict).toMatchObject({ passes: true });
  });
});
