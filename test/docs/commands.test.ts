import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { listMarkdown } from "./markdown.ts";

const ROOT = join(import.meta.dirname, "../..");
const SHELL_BLOCK = /^```sh\n([\s\S]*?)^```/gm;

it("every line of a shell block has at most one comment, so that no commands are joined", () => {
  const joined = listMarkdown(ROOT).flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(SHELL_BLOCK)]
      .flatMap(([, block = ""]) => block.split("\n"))
      .filter((line) => line.split(/(?:^|\s)#\s/).length > 2)
      .map((line) => `${path}: ${line}`),
  );
  expect(joined).toEqual([]);
});
