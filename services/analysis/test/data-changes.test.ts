import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";

const { gramsOf } = await openTable();

/** What each change adds, the file that it edits, and a line that only it makes readable. */
const CHANGES = [
  {
    adds: "a food",
    file: "snacks.tsv",
    edit: (text: string) =>
      `${text}glorp cracker\t\tfood\t400\t10\t70\t8.9\t5\t5\t500\t0\t\teach 7; serving 35\tfndds2021:54338000\n`,
    line: "4 glorp crackers",
    foods: { "glorp cracker": 28 },
  },
  {
    adds: "an alias",
    file: "fruit.tsv",
    edit: (text: string) => text.replace("\nbanana\t", "\nbanana\tyellowzorp, "),
    line: "2 yellowzorps",
    foods: { banana: 252 },
  },
  {
    adds: "a unit",
    file: "words/units.json",
    edit: (text: string) =>
      text.replace(
        '"measures": [',
        '"measures": [{ "kind": "mass", "grams": 12, "names": ["zork"] },',
      ),
    line: "3 zorks of butter",
    foods: { butter: 36 },
  },
  {
    adds: "an ingredient of a dish",
    file: "words/dishes.json",
    edit: (text: string) =>
      text.replace(
        '"holding": [',
        '"holding": [{ "dishes": ["lasagna"], "ingredients": [{ "called": ["ricotta"], "food": "ricotta", "grams": 40 }] },',
      ),
    line: "lasagna without ricotta",
    foods: { "lasagna without ricotta": 210 },
  },
  {
    adds: "a language",
    file: "languages/words.tsv",
    edit: (text: string) => withColumn(text, "nl", { "2": "twee", slice: "sneetje, sneetjes" }),
    line: "twee sneetjes volkorenbrood",
    foods: { "wholewheat bread": 72 },
  },
  {
    adds: "names in that language",
    file: "languages/foods.tsv",
    edit: (text: string) => withColumn(text, "nl", { "wholewheat bread": "volkorenbrood" }),
    line: "volkorenbrood",
    foods: { "wholewheat bread": 36 },
  },
] as const;

/** Adds a column for a language to a table of languages. */
function withColumn(text: string, code: string, meanings: Readonly<Record<string, string>>) {
  const [head, ...rows] = text.trimEnd().split("\n");
  const cells = rows.map((row) => `${row}\t${meanings[row.split("\t")[0] ?? ""] ?? "-"}`);
  return `${[`${head}\t${code}`, ...cells].join("\n")}\n`;
}

/** A copy of the service in which only these files of `foods/` are changed. */
function changedCopy(): string {
  const service = fileURLToPath(new URL("..", import.meta.url));
  const copy = mkdtempSync(join(tmpdir(), "nutrition-analysis-"));
  for (const name of ["src", "foods", "test/reader.ts", "package.json"]) {
    cpSync(join(service, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(service, "node_modules"), join(copy, "node_modules"));
  for (const { file, edit } of CHANGES) {
    const path = join(copy, "foods", file);
    writeFileSync(path, edit(readFileSync(path, "utf8")));
  }
  return copy;
}

describe("a change of data alone", () => {
  const copy = changedCopy();
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  let answers: unknown[] = [];
  beforeAll(() => {
    const lines = JSON.stringify(CHANGES.map(({ line }) => line));
    const program = `
      const { openTable } = await import(${JSON.stringify(join(copy, "test", "reader.ts"))});
      const { gramsOf } = await openTable();
      console.log(JSON.stringify(${lines}.map(gramsOf)));`;
    const options = ["--input-type=module", "--eval", program];
    answers = JSON.parse(execFileSync(process.execPath, options, { encoding: "utf8" }));
  });

  it.each(CHANGES.map((change, at) => ({ ...change, at })))(
    "adds $adds: “$line”",
    ({ line, foods, at }) => {
      expect(gramsOf(line)).not.toEqual(foods);
      expect(answers[at]).toEqual(foods);
    },
  );
});
