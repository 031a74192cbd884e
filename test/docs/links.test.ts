import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { brokenLinks, listMarkdown, missingPaths, readMarkdown } from "./markdown.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Historical pages, which may name deleted files. */
const HISTORY = /^(CHANGELOG\.md|docs\/decisions\/\d)/;

describe("the repository's documents", () => {
  it("have no broken relative link", () => {
    const broken = listMarkdown(ROOT).flatMap((path) =>
      brokenLinks(ROOT, readMarkdown(ROOT, path)).map((link) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("name only existing files", () => {
    const missing = listMarkdown(ROOT)
      .filter((path) => !HISTORY.test(path))
      .flatMap((path) =>
        missingPaths(ROOT, readMarkdown(ROOT, path)).map((named) => `${path}: ${named}`),
      );
    expect(missing).toEqual([]);
  });
});

describe("the check of links", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "nutrition-links-"));
    writeFileSync(
      join(folder, "target.md"),
      "# One & two\n\n## Again\n\n## Again\n\n## `npm` *x*\n",
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function check(text: string): string[] {
    writeFileSync(join(folder, "page.md"), text);
    const page = readMarkdown(folder, "page.md");
    return [...brokenLinks(folder, page), ...missingPaths(folder, page)];
  }

  it.each([
    ["a file that does not exist", "[a](missing.md)", "missing.md"],
    ["a file outside the repository", "[a](../outside.md)", "../outside.md"],
    ["an anchor that does not exist", "[a](target.md#three)", "target.md#three"],
    ["an anchor of the page itself", "# Here\n\n[a](#there)", "#there"],
    ["an image", "![a](missing.png)", "missing.png"],
    ["a link around an image", "[![a](target.md)](missing.md)", "missing.md"],
    ["a definition", "[a][b]\n\n[b]: missing.md", "missing.md"],
    ["a named file", "See `docs/missing.md`.", "docs/missing.md"],
  ])("detects %s", (_kind, text, broken) => {
    expect(check(text)).toEqual([broken]);
  });

  it.each([
    ["a file with an anchor", "[a](target.md#one--two)"],
    ["the second heading of the same name", "[a](target.md#again-1)"],
    ["a heading with code and emphasis", "[a](target.md#npm-x)"],
    ["an address", "[a](https://example.com/missing.md#x)"],
    ["what looks like a link in code", "`[a](missing.md)`\n\n```md\n[a](missing.md)\n```\n"],
    ["a pattern in backticks", "`services/*/src/<name>.ts`"],
  ])("accepts %s", (_kind, text) => {
    expect(check(text)).toEqual([]);
  });
});
