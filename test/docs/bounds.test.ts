import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** What bounds shared things. */
const BOUNDING =
  /new (?:Places|Pace|FairQueue|InFlight|OpenRequests|AddressLimit)\(|shareConnections\(/;

interface Bound {
  readonly what: string;
  readonly atMost: string;
  /** A constant or a member of one, such as `TURNS.slots`; a function for what no number bounds. */
  readonly name: string;
  readonly file: string;
}

/** The rows of all tables. */
function listBounds(): Bound[] {
  const text = readFileSync(join(ROOT, "docs/bounds.md"), "utf8");
  return [
    ...text.matchAll(/^\|([^|]+)\|([^|]+)\|[^|]+\|[^|]+\| *`([\w.]+)` in `([^`]+)` *\|$/gm),
  ].map(([, what = "", atMost = "", name = "", file = ""]) => ({
    what: what.trim(),
    atMost: atMost.trim(),
    name,
    file,
  }));
}

/** The number that the code gives a constant or a member; undefined if it gives none. */
function valueOf({ name, file }: Bound): number | undefined {
  const [constant = "", member] = name.split(".");
  const code = readFileSync(join(ROOT, file), "utf8");
  const [, definition = ""] =
    new RegExp(`const ${constant}\\b[^=]*=([\\s\\S]*?);\\n`).exec(code) ?? [];
  const given =
    member === undefined ? definition : new RegExp(`\\b${member}:([^,}]*)`).exec(definition)?.[1];
  if (given === undefined || !/^[\s\d_*]+$/.test(given)) return undefined;
  return given
    .replaceAll("_", "")
    .split("*")
    .reduce((product, factor) => product * Number(factor), 1);
}

/** The ways in which the document may write the value. */
function spellingsOf(name: string, value: number): string[] {
  const plain = value.toLocaleString("en");
  if (/(?:ms|timeout)$/i.test(name)) return [`${plain} ms`, `${value / 1_000} s`];
  if (/bytes/i.test(name)) return [`${value / 1_024} KiB`];
  return /kib$/i.test(name) ? [`${plain} KiB`] : [plain];
}

const bounds = listBounds();

it("has every row of its tables in the form that is checked", () => {
  const text = readFileSync(join(ROOT, "docs/bounds.md"), "utf8");
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\| (?:What|-)/.test(line));
  expect(bounds).toHaveLength(rows.length);
  expect(bounds.length).toBeGreaterThan(50);
});

it.each(bounds.map((bound) => [bound.what, bound.name, bound] as const))(
  "documents what the code bounds: %s (%s)",
  (_what, name, bound) => {
    const value = valueOf(bound);
    if (value === undefined) {
      expect(bound.atMost).toBe("none");
      expect(readFileSync(join(ROOT, bound.file), "utf8")).toContain(`function ${name}(`);
    } else {
      expect(spellingsOf(name, value)).toContain(bound.atMost);
    }
  },
);

it("names every file of the services that clients reach which bounds something shared", () => {
  const named = new Set(bounds.map(({ file }) => file));
  const files = [
    "services/gateway/src",
    "services/web/src",
    "services/identity/src",
    "deploy/observe/src",
  ]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) => BOUNDING.test(readFileSync(join(ROOT, file), "utf8")));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !named.has(file))).toEqual([]);
});
