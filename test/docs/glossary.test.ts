import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const CODE = /`([^`]+)`/g;

interface GlossaryLine {
  term: string;
  names: string[];
  places: string[];
}

/**
 * The rows of the glossary's tables, without names that contain an ellipsis, which stand for
 * several.
 */
function readGlossary(text: string): GlossaryLine[] {
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  return rows.flatMap((row) => {
    const [term = "", , inCode = "", where = ""] = row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    const codeIn = (cell: string) => [...cell.matchAll(CODE)].map((match) => match[1]!);
    const names = codeIn(inCode).filter((name) => !name.includes("…"));
    const places = codeIn(where).filter((place) => place.includes("/"));
    return names.length > 0 && places.length > 0 ? [{ term, names, places }] : [];
  });
}

function readPlace(place: string): string {
  const path = join(ROOT, place);
  if (statSync(path).isFile()) return readFileSync(path, "utf8");
  const files = globSync("**/*.{ts,json,sql}", {
    cwd: path,
    exclude: (name) => name === "node_modules",
  });
  return files.map((file) => readFileSync(join(path, file), "utf8")).join("\n");
}

it("every name in the glossary exists in the code at the given place", () => {
  const glossary = readGlossary(readFileSync(join(ROOT, "docs/glossary.md"), "utf8"));
  expect(glossary.length).toBeGreaterThan(80);
  const missing = glossary.flatMap(({ term, names, places }) => {
    const text = places.map(readPlace).join("\n");
    return names.filter((name) => !text.includes(name)).map((name) => `${term}: ${name}`);
  });
  expect(missing).toEqual([]);
});
