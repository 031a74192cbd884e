import { readFileSync } from "node:fs";
import { join } from "node:path";

import { readValues, withValues } from "@nutrition/chart/values-reference";
import { expect, test } from "vitest";
import { parse } from "yaml";

import { CHART } from "./helm.ts";

const TEXT = `# Not for the reference.

# -- Where it
# is reached.
url: ""
image:
  # -- Of all | services.
  tag: latest
  pull: [a, b]
# -- A group.
group:
  # A remark.
  inner: { on: false }
`;

test("lists each value with its default and its comment, groups with theirs", () => {
  expect(readValues(TEXT)).toEqual([
    { key: "url", fallback: '""', description: "Where it is reached." },
    { key: "image.tag", fallback: '"latest"', description: "Of all | services." },
    { key: "image.pull", fallback: "[ a, b ]", description: "" },
    { key: "group", fallback: undefined, description: "A group." },
    { key: "group.inner", fallback: "{ on: false }", description: "" },
  ]);
});

test("replaces only the earlier table", () => {
  const readme = readFileSync(join(CHART, "README.md"), "utf8");
  const changed = withValues(readme, readValues(TEXT));
  expect(changed).toContain('| `image.tag`   | `"latest"`      | Of all \\| services.  |');
  expect(changed.split("## Values")[0]).toBe(readme.split("## Values")[0]);
  expect(withValues(changed, readValues(TEXT))).toBe(changed);
  expect(() => withValues("# No place", [])).toThrow("no marks");
});

test("omits no value of the chart", () => {
  const text = readFileSync(join(CHART, "values.yaml"), "utf8");
  const keys = readValues(text).map(({ key }) => key);
  const top = Object.keys(parse(text) as object);
  expect(top.filter((name) => !keys.some((key) => key.split(".")[0] === name))).toEqual([]);
  expect(keys).toEqual(expect.arrayContaining(["publicUrl", "database.bundled.storageClass"]));
});

test("every value is explained, directly or by its group", () => {
  const values = readValues(readFileSync(join(CHART, "values.yaml"), "utf8"));
  const groups = values.filter(({ fallback }) => fallback === undefined).map(({ key }) => key);
  const silent = values.filter(({ description }) => description === "").map(({ key }) => key);
  const unexplained = silent.filter((key) => !groups.some((group) => key.startsWith(`${group}.`)));
  expect(unexplained).toEqual([]);
});
