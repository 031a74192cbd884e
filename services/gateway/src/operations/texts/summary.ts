import { countOf } from "@nutrition/core/count-of";

import type { JsonPieces } from "../../domain/json-pieces.ts";
import type { Site } from "../../domain/site.ts";
import { ByteWriter } from "./byte-writer.ts";
import { timeZoneHint } from "./day.ts";
import { LABELS, NO_GOALS, amountMembers, writeFigures } from "./figures.ts";
import { itemLinesOf } from "./item-lines.ts";
import { JsonMembers } from "./json-members.ts";

const MEMBERS = new JsonMembers(["date", "timezone", "totals", "goals"]);
const [DATE, TIME_ZONE, TOTALS, GOALS] = [0, 1, 2, 3];
const totals = amountMembers();
const goals = amountMembers();
const WRITER = new ByteWriter();

const TOTALS_LINE = Buffer.from(`\\n${LABELS.totals}`);
const GOALS_LINE = Buffer.from(`\\n${LABELS.goals}`);
const LEFT_LINE = Buffer.from(`\\n${LABELS.left}`);
const NO_GOALS_TEXT = Buffer.from(NO_GOALS);

/** Formats a summary document as text: the totals, goals and items of its day. Returns the text as a JSON string. */
export function formatSummary(json: Buffer, site: Site): JsonPieces {
  const { lines, count } = itemLinesOf(json);
  MEMBERS.find(json, 0);
  const timezone = textAt(json, TIME_ZONE);
  const day = `${textAt(json, DATE)} (${timezone}), ${countOf(count, "item")}:`;
  const hints = timeZoneHint(timezone, site).map((hint) =>
    JSON.stringify(`\n${hint}`).slice(1, -1),
  );
  writeDay(json);
  return [`"${day}${hints.join("")}${WRITER.toString()}`, lines, '"'];
}

/** Writes the same lines as `formatDay`, each preceded by a line feed. */
function writeDay(json: Buffer): void {
  totals.find(json, MEMBERS.starts[TOTALS] ?? 0);
  goals.find(json, MEMBERS.starts[GOALS] ?? 0);
  WRITER.clear();
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

/** The text at a member, still escaped. */
function textAt(json: Buffer, index: number): string {
  return json.toString("utf8", (MEMBERS.starts[index] ?? 0) + 1, (MEMBERS.ends[index] ?? 0) - 1);
}
