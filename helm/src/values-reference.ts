import type { Pair, Scalar, YAMLMap } from "yaml";
import { isMap, isPair, isScalar, parseDocument, stringify } from "yaml";

/** A configurable value. */
export interface ValueEntry {
  /** Dotted path, such as `database.host`. */
  readonly key: string;
  /** Default in YAML, on one line; undefined for a group of values. */
  readonly fallback: string | undefined;
  /** Empty for a value without a comment. */
  readonly description: string;
}

const BEGIN = "<!-- Values, generated from values.yaml by npm run generate; do not edit. -->";
const END = "<!-- End of the values. -->";
/** Prefix of comments that become part of the reference. */
const MARK = "-- ";

/** All values of a values file, in order. */
export function readValues(text: string): ValueEntry[] {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) throw new Error("The values are not a map.");
  return entriesOf(contents, "", descriptionIn(contents.commentBefore));
}

/**
 * Returns the README with the table of values between its two marks. Throws when the marks are
 * missing.
 */
export function withValues(readme: string, entries: readonly ValueEntry[]): string {
  const [before, rest] = readme.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) {
    throw new Error(`The README has no marks for the table of values: ${BEGIN} … ${END}`);
  }
  return `${before}${BEGIN}\n\n${tableOf(entries)}\n\n${END}${after}`;
}

/** `first` describes the first pair: the parser attributes a comment there to the map. */
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

/** The marked comment directly before a value; other comments are for readers of the file. */
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
