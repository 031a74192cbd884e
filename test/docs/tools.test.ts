import { readFileSync } from "node:fs";
import { join } from "node:path";

import { WRITE_TOOLS } from "@nutrition/core/write-tools";
import { TOOL_OPERATIONS } from "@nutrition/gateway/operations/operations";
import { expect, it } from "vitest";

const README = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
const TOOLS = TOOL_OPERATIONS.map(({ name }) => name);

it("README lists every tool, in the order of tools/list", () => {
  const rows = [...README.matchAll(/^\| `([a-z]+_[a-z_]+)` +\|/gm)].map(([, name]) => name);
  expect(rows).toEqual(TOOLS);
});

it("the registry of writing tools has exactly the tools that write", () => {
  const writing = TOOL_OPERATIONS.filter(({ kind }) => kind === "write").map(({ name }) => name);
  expect(Object.keys(WRITE_TOOLS).toSorted()).toEqual(writing.toSorted());
});
