import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { claimPort } from "./port-claims.ts";

const folder = mkdtempSync(join(tmpdir(), "nutrition-claims-"));
const minute = (count: number) => count * 60_000;

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a port can be claimed once in ten minutes and again after twenty, and no claim file is left over", () => {
  const claims = [0, 9, 11, 19, 20].map((minutes) => claimPort(24_000, minute(minutes), folder));
  expect(claims).toEqual([true, false, false, false, true]);
  expect(readdirSync(folder)).toEqual(["2"]);
});

test("a port is chosen without a claim when no file can be written", () => {
  expect(claimPort(24_000, 0, "/dev/null/claims")).toBe(true);
});
