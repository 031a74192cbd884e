import { isCivilDate } from "@nutrition/core/civil-date";
import { isUuid } from "@nutrition/core/ids";

/** The parts of an export, in order. */
export const EXPORT_SECTIONS = ["settings", "entry", "weight", "mutation"] as const;

export type ExportSection = (typeof EXPORT_SECTIONS)[number];

/** Where an export goes on: after the row that `after` names, or at the section's first. */
export interface ExportCursor {
  section: ExportSection;
  /** What the section's rows are ordered by. */
  after: readonly string[];
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What names a row of each section. */
const KEYS: Record<ExportSection, readonly ((part: string) => boolean)[]> = {
  settings: [],
  entry: [isCivilDate],
  weight: [(part) => MOMENT.test(part), isUuid],
  mutation: [isUuid],
};

export function formatExportCursor({ section, after }: ExportCursor): string {
  return [section, ...after].join(" ");
}

/** The cursor that the text holds, the start for an empty text, or undefined for any other text. */
export function parseExportCursor(text: string): ExportCursor | undefined {
  if (text === "") return { section: EXPORT_SECTIONS[0], after: [] };
  const [name, ...after] = text.split(" ");
  const section = EXPORT_SECTIONS.find((known) => known === name);
  if (!section) return undefined;
  const keys = KEYS[section];
  const isRow = after.length === keys.length && keys.every((isKey, at) => isKey(after[at]!));
  return after.length === 0 || isRow ? { section, after } : undefined;
}

/** Where the export goes on when the section is done; undefined at the end. */
export function nextSection({ section }: ExportCursor): ExportCursor | undefined {
  const next = EXPORT_SECTIONS[EXPORT_SECTIONS.indexOf(section) + 1];
  return next && { section: next, after: [] };
}
