import type { Pair, Scalar, YAMLMap } from "yaml";
import { isMap, isPair, isScalar, parseDocument, stringify } from "yaml";

/** A value that can be set. */
export interface ValueEntry {
  /** Path with dots, such as `database.host`. */
  readonly key: string;
  /** As in YAML, on one line; undefined for a group of values. */
  readonly fallback: string | undefined;
  /** Empty for a value that has no comment. */
  readonly description: string;
}

const BEGIN = "<!-- Values, generated from values.yaml by npm run generate; do not edit. -->";
const END = "<!-- End of the values. -->";
/** What a comment begins with that becomes part of the reference. */
const MARK = "-- ";

/** Every value of a values file, in its order. */
export function readValues(text: string): ValueEntry[] {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) throw new Error("The values are not a map.");
  return entriesOf(contents, "", descriptionIn(contents.commentBefore));
}

/**
 * The text of a README with the table of the values in place of what was between its two marks.
 * Throws when it has no marks.
 */
export function withValues(readme: string, entries: readonly ValueEntry[]): string {
  const [before, rest] = readme.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) {
    throw new Error(`The README has no place for the values: ${BEGIN} … ${END}`);
  }
  return `${before}${BEGIN}\n\n${tableOf(entries)}\n\n${END}${after}`;
}

/** `first` describes the first pair: a comment there belongs to the map, as the parser sees it. */
function entriesOf(map: YAMLMap, prefix: string, first: string): ValueEntry[] {
  return map.items.filter(isPair).flatMap((pair, index) => {
    const { key, value } = pair as Pair<Scalar<string>, unknown>;
    const path = prefix + key.value;
    const own = descriptionIn(key.commentBefore);
    const description = own || (index === 0 ? first : "");
    if (!isMap(value) || value.flow) {
      return [{ key: path, fallback: inOneLine(value), description }];
    }
    const children = entriesOf(value, `${path}.`, descriptionIn(value.commentBefore));
    return description === ""
      ? children
      : [{ key: path, fallback: undefined, description }, ...children];
  });
}

/** The marked comment right before a value; others are for those who read the file itself. */
function descriptionIn(comment: string | null | undefined): string {
  const block = comment?.split(/\n\s*\n/).at(-1) ?? "";
  const at = block.indexOf(MARK);
  if (at === -1) return "";
  const lines = block.slice(at + MARK.length).split("\n");
  return lines.map((line) => line.trim()).join(" ");
}

function inOneLine(value: unknown): string {
  if (isScalar(value)) return JSON.stringify(value.value);
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();
}

function tableOf(entries: readonly ValueEntry[]): string {
  const rows = entries.map(({ key, fallback, description }) =>
    [`\`${key}\``, fallback === undefined ? "" : `\`${fallback}\``, description].map(escaped),
  );
  const header = ["value", "default", "meaning"];
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => [...(row[column] ?? "")].length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(header), rule, ...rows.map(line)].join("\n");
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
