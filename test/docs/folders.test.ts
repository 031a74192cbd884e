import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = ["docs/architecture.md", "docs/glossary.md"].map((page) =>
  readFileSync(join(ROOT, page), "utf8"),
);
/** Every name in code, and the tree of a service. */
const EXPLAINED = new Set(
  PAGES.flatMap((page) => page.match(/`[^`\n]+`|^src\/\S+|^[a-z]+\/ /gm) ?? []).flatMap((code) =>
    code.split(/[^\w.-]+/),
  ),
);

/** Folders that tell where code is: at the top, of each area, and the rooms of services. */
function foldersToExplain(): string[] {
  const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  const folders = files.flatMap((file) => {
    const path = file.split("/").slice(0, -1);
    const isRoom = path[0] === "services" && path[2] === "src";
    return [1, 2, ...(isRoom ? [4] : [])].map((depth) => path.slice(0, depth).join("/"));
  });
  return [...new Set(folders)].filter((folder) => folder !== "");
}

it("the architecture page or the glossary names every folder of the repository's first levels", () => {
  const folders = foldersToExplain();
  expect(folders.length).toBeGreaterThan(50);
  expect(folders.filter((folder) => !EXPLAINED.has(folder.split("/").at(-1)!))).toEqual([]);
});
