import type { CivilDate } from "@nutrition/core/civil-date";
import { isCivilDate } from "@nutrition/core/civil-date";
import { characterCount } from "@nutrition/core/text";

import { analysisTextCharacters, exceededCallLimit } from "./call-limits.ts";
import { idempotencyKeyRefusal } from "./idempotency-key.ts";
import {
  controlCharacterRefusal,
  hasControlCharacter,
  normalisedDetails,
  visibleLines,
} from "./visible-text.ts";
import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

/** Inputs of log_food as received. */
export interface FoodLogInput {
  foodText: string;
  detailedDescription: string | undefined;
  date: string | undefined;
  idempotencyKey: string | undefined;
}

/** Valid inputs of log_food. */
export interface FoodLog {
  /** 1 to 12 visible lines in NFC. */
  lines: string[];
  /** Context in NFC; null when there is none. */
  details: string | null;
  /** As received: undefined means today. */
  date: CivilDate | undefined;
  idempotencyKey: string | undefined;
}

/** Validates the inputs, or returns the refusal for the first invalid one. */
export function parseFoodLog(input: FoodLogInput): FoodLog | WriteRefusal {
  const lines = visibleLines(input.foodText);
  const details = normalisedDetails(input.detailedDescription);
  const { date, idempotencyKey } = input;
  return refusalOf(input, { lines, details }) ?? { lines, details, date, idempotencyKey };
}

function refusalOf(
  input: FoodLogInput,
  { lines, details }: Pick<FoodLog, "lines" | "details">,
): WriteRefusal | undefined {
  const { foodText, detailedDescription, date, idempotencyKey } = input;
  if (hasControlCharacter(foodText)) return controlCharacterRefusal("food_text");
  if (hasControlCharacter(detailedDescription)) {
    return controlCharacterRefusal("detailed_description");
  }
  if (lines.length === 0) {
    return invalidInput(
      "food_text",
      "food_text must have at least one line, with one food per line.",
    );
  }
  if (date !== undefined && !isCivilDate(date)) {
    return invalidInput("date", "date must be an existing day, YYYY-MM-DD, or be left out.");
  }
  const keyRefusal = idempotencyKeyRefusal(idempotencyKey);
  if (keyRefusal) return keyRefusal;
  const text = lines.join("\n");
  return exceededCallLimit({
    food_text_lines: lines.length,
    food_text_characters: characterCount(text),
    detailed_description_characters: characterCount(details ?? ""),
    analysis_text_characters: analysisTextCharacters([text, details]),
  });
}
