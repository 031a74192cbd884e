import { Failure } from "@nutrition/core/failure";
import { characterCount, nonEmptyLines } from "@nutrition/core/text";
import type { AnalyzeRequest } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

const LINES_MAX = 12;
export const LINE_CHARACTERS_MAX = 500;
const DETAILS_CHARACTERS_MAX = 1_498;
export const QUERY_CHARACTERS_MAX = 200;
const REMEMBERED_MAX = 50;

/** The failure `invalid_argument`; `message` says what to send. */
export function invalid(reason: string, message: string): Failure {
  return new Failure("invalid_argument", reason, message);
}

/** Throws unless the request is within the limits. */
export function assertAnalyzable(request: AnalyzeRequest): void {
  const { lines, details, correction, remembered } = request;
  if (lines.length === 0 || lines.length > LINES_MAX) {
    throw invalid("TOO_MANY_LINES", `Send 1 to ${LINES_MAX} lines.`);
  }
  lines.forEach(assertLine);
  if ([details, correction].some((text) => characterCount(text) > DETAILS_CHARACTERS_MAX)) {
    const message = `Send details and corrections of at most ${DETAILS_CHARACTERS_MAX} characters.`;
    throw invalid("TOO_LONG", message);
  }
  if (remembered.length > REMEMBERED_MAX) {
    throw invalid("TOO_MANY_REMEMBERED", `Send at most ${REMEMBERED_MAX} remembered items.`);
  }
}

/** Throws unless the text is a single line of at most `LINE_CHARACTERS_MAX` characters. */
export function assertLine(line: string): void {
  if (nonEmptyLines(line).length === 1 && characterCount(line) <= LINE_CHARACTERS_MAX) return;
  const message = `Send lines of 1 to ${LINE_CHARACTERS_MAX} characters, one food each.`;
  throw invalid("INVALID_LINE", message);
}
