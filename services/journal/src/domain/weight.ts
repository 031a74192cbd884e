import { Failure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import { characterCount } from "@nutrition/core/text";

/** A weight as it is stored. */
export interface Weight {
  id: string;
  weightKg: number;
  recordedAt: Date;
  source: string | null;
  notes: string | null;
}

const SOURCE_CHARACTERS_MAX = 50;
const NOTES_CHARACTERS_MAX = 200;
const EARLIEST = new Date("1900-01-01T00:00:00Z");
const DAY_MS = 86_400_000;

/** Throws `invalid_argument` naming the invalid field. Empty texts become null. */
export function checkWeight(weight: Weight, now: Date): Weight {
  const { id, weightKg, recordedAt, source, notes } = weight;
  if (!isUuid(id)) throw invalid("weight_id", "weight_id must be a UUID.");
  // The column stores hundredths, so a smaller weight would become 0.
  if (!(weightKg >= 0.01 && weightKg <= 1_000)) {
    throw invalid("weight_kg", "weight_kg must be above 0 and at most 1000.");
  }
  // Tolerates clocks that run ahead and time zones east of UTC.
  if (!(recordedAt >= EARLIEST && recordedAt.getTime() <= now.getTime() + DAY_MS)) {
    throw invalid("recorded_at", "recorded_at must be after 1900 and not in the future.");
  }
  return {
    id,
    weightKg,
    recordedAt,
    source: checkText("source", source, SOURCE_CHARACTERS_MAX),
    notes: checkText("notes", notes, NOTES_CHARACTERS_MAX),
  };
}

function checkText(field: string, text: string | null, max: number): string | null {
  const normalised = text?.normalize("NFC").trim() ?? "";
  if (characterCount(normalised) > max || /[^\P{Cc}\n\t]/u.test(normalised)) {
    throw invalid(field, `${field} must be at most ${max} characters, without control characters.`);
  }
  return normalised === "" ? null : normalised;
}

function invalid(field: string, message: string): Failure {
  return new Failure("invalid_argument", "INVALID_WEIGHT", message, { metadata: { field } });
}
