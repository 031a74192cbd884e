import { countOf } from "@nutrition/core/count-of";

import type { Site } from "../../domain/site.ts";
import { ByteWriter } from "./byte-writer.ts";
import { UNCHOSEN_TIME_ZONE, timeZoneHint } from "./day.ts";
import { LABELS, NO_GOALS, amountMembers, writeFigures } from "./figures.ts";
import { itemLinesOf } from "./item-lines.ts";
import { JsonMembers } from "./json-members.ts";

const MEMBERS = new JsonMembers(["date", "timezone", "totals", "goals"]);
const [DATE, TIME_ZONE, TOTALS, GOALS] = [0, 1, 2, 3];
const totals = amountMembers();
const goals = amountMembers();
const WRITER = new ByteWriter();

const QUOTE = Buffer.from('"');
const BEFORE_TIME_ZONE = Buffer.from(" (");
/** JSON of the time zone of people who have not chosen one. */
const UNCHOSEN = Buffer.from(JSON.stringify(UNCHOSEN_TIME_ZONE));
const TOTALS_LINE = Buffer.from(`\\n${LABELS.totals}`);
const GOALS_LINE = Buffer.from(`\\n${LABELS.goals}`);
const LEFT_LINE = Buffer.from(`\\n${LABELS.left}`);
/** Room for the labels of the lines and what stands around a text. */
const LABELS_BYTES = 200;
const NO_GOALS_TEXT = Buffer.from(NO_GOALS);

/** Formats a summary document as text: the totals, goals and items of its day. Returns the text as a JSON string. */
export function formatSummary(json: Buffer, site: Site): Buffer {
  const { lines, count } = itemLinesOf(json);
  MEMBERS.find(json, 0);
  WRITER.clear();
  WRITER.add(QUOTE);
  writeHeading(json, count, site);
  writeDay(json);
  return Buffer.concat([WRITER.view(), lines, QUOTE]);
}

function writeHeading(json: Buffer, count: number, site: Site): void {
  addTextAt(json, DATE);
  WRITER.add(BEFORE_TIME_ZONE);
  addTextAt(json, TIME_ZONE);
  WRITER.addText(`), ${countOf(count, "item")}:`);
  if (!MEMBERS.is(json, TIME_ZONE, UNCHOSEN)) return;
  for (const hint of timeZoneHint(UNCHOSEN_TIME_ZONE, site)) {
    WRITER.addText(JSON.stringify(`\n${hint}`).slice(1, -1));
  }
}

/** Writes the same lines as `formatDay`, each preceded by a line feed. */
function writeDay(json: Buffer): void {
  totals.find(json, MEMBERS.starts[TOTALS] ?? 0);
  goals.find(json, MEMBERS.starts[GOALS] ?? 0);
  WRITER.add(TOTALS_LINE);
  writeFigures(WRITER, json, totals);
  WRITER.add(GOALS_LINE);
  if (!writeFigures(WRITER, json, goals)) {
    WRITER.add(NO_GOALS_TEXT);
    return;
  }
  WRITER.add(LEFT_LINE);
  writeFigures(WRITER, json, goals, totals);
}

/** Copies the text of a member, escapes included. */
function addTextAt(json: Buffer, index: number): void {
  const [start, end] = [(MEMBERS.starts[index] ?? 0) + 1, (MEMBERS.ends[index] ?? 0) - 1];
  WRITER.reserve(LABELS_BYTES + end - start);
  WRITER.add(json, start, end);
}
