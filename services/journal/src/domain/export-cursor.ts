import { isCivilDate } from "@nutrition/core/civil-date";
import { isUuid } from "@nutrition/core/ids";

/** Sections of an export, in order. */
export const EXPORT_SECTIONS = ["settings", "entry", "weight", "mutation"] as const;

export type ExportSection = (typeof EXPORT_SECTIONS)[number];

/** Position in an export: after the row identified by `after`, or at the start of the section. */
export interface ExportCursor {
  section: ExportSection;
  /** Sort key of the section's rows. */
  after: readonly string[];
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Validators of the parts of a row key, by section. */
const KEYS: Record<ExportSection, readonly ((part: string) => boolean)[]> = {
  settings: [],
  entry: [isCivilDate],
  weight: [(part) => MOMENT.test(part), isUuid],
  mutation: [isUuid],
};

export function formatExportCursor({ section, after }: ExportCursor): string {
  return [section, ...after].join(" ");
}

/** Parses a cursor; an empty text is the start, undefined an invalid one. */
export function parseExportCursor(text: string): ExportCursor | undefined {
  if (text === "") return { section: EXPORT_SECTIONS[0], after: [] };
  const [name, ...after] = text.split(" ");
  const section = EXPORT_SECTIONS.find((known) => known === name);
  if (!section) return undefined;
  const keys = KEYS[section];
  const isRow = after.length === keys.length && keys.every((isKey, at) => isKey(after[at]!));
  return after.length === 0 || isRow ? { section, after } : undefined;
}

/** Position after the section; undefined at the end of the export. */
export function nextSection({ section }: ExportCursor): ExportCursor | undefined {
  const next = EXPORT_SECTIONS[EXPORT_SECTIONS.indexOf(section) + 1];
  return next && { section: next, after: [] };
}
