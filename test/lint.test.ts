import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "lint-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What lint says about a file of a service with this content. */
function lint(code: string): string {
  const file = join(folder, "linted.ts");
  writeFileSync(file, code);
  const args = ["-c", join(ROOT, ".oxlintrc.json"), "--format=unix", file];
  const { stdout } = spawnSync(join(ROOT, "node_modules/.bin/oxlint"), args, { encoding: "utf8" });
  return stdout;
}

it.each([
  ["that takes the square of a text's length from one place", String.raw`/^\s*a?\s*$/`],
  ["that tries each place of a text again", String.raw`/\s+$/`],
  ["that takes exponential time", String.raw`/^(?:a+|b)+$/`],
])("refuses an expression %s", (_, pattern) => {
  expect(lint(`export const PATTERN = ${pattern};\n`)).toMatch(/regexp\(no-super-linear-/);
});

it("refuses an expression that it cannot see", () => {
  const code = "export const patternOf = (source: string) => new RegExp(source);\n";
  expect(lint(code)).toContain("compilePattern");
});

it("accepts an expression that only one way fits", () => {
  expect(lint(String.raw`export const PATTERN = /(?<!\s)\s+$/;` + "\n")).not.toContain("Error");
});
