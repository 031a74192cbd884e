import { isCivilDate } from "@nutrition/core/civil-date";
import type { NutrientAmounts } from "@nutrition/core/nutrients";
import { characterCount } from "@nutrition/core/text";

import { analysisTextCharacters, exceededCallLimit } from "./call-limits.ts";
import { isStorable } from "./estimate.ts";
import type { Estimate } from "./estimate.ts";
import {
  controlCharacterRefusal,
  hasControlCharacter,
  normalisedDetails,
  parseVisibleLine,
} from "./visible-text.ts";

/** An item of another service as received. */
export interface ImportInput {
  externalId: string;
  date: string;
  description: string;
  detailedDescription: string;
  nutrients: NutrientAmounts;
  waterMilliliters: number;
}

/** An item of another service, validated. */
export interface ImportedItem {
  externalId: string;
  date: string;
  line: string;
  details: string | null;
  estimate: Estimate;
}

/** Why an item is not stored. */
export interface ImportProblem {
  externalId: string;
  message: string;
}

const EXTERNAL_ID_CHARACTERS_MAX = 200;

/** Validates an item against the bounds of logged items, or says what is wrong. */
export function parseImportedItem(input: ImportInput): ImportedItem | ImportProblem {
  const { externalId, date, description } = input;
  const refused = (message: string) => ({ externalId, message });
  if (!isExternalId(externalId)) {
    return refused(`external_id must be 1 to ${EXTERNAL_ID_CHARACTERS_MAX} printable characters.`);
  }
  if (!isCivilDate(date)) return refused("date must be an existing day, YYYY-MM-DD.");
  const visible = parseVisibleLine("description", description);
  if ("code" in visible) return refused(visible.message);
  const message = textProblem(input);
  if (message !== undefined) return refused(message);
  const estimate = estimateOf(input);
  if (!isStorable(estimate)) {
    return refused("Every figure must be a number from 0 to below 10,000,000.");
  }
  const details = normalisedDetails(input.detailedDescription);
  return { externalId, date, line: visible.line, details, estimate };
}

function isExternalId(text: string): boolean {
  const count = characterCount(text);
  return count >= 1 && count <= EXTERNAL_ID_CHARACTERS_MAX && !/\p{Cc}/u.test(text);
}

function textProblem({ description, detailedDescription }: ImportInput): string | undefined {
  if (hasControlCharacter(detailedDescription)) {
    return controlCharacterRefusal("detailed_description").message;
  }
  return exceededCallLimit({
    description_characters: characterCount(description),
    detailed_description_characters: characterCount(detailedDescription),
    analysis_text_characters: analysisTextCharacters([description, detailedDescription]),
  })?.message;
}

function estimateOf({ nutrients, waterMilliliters }: ImportInput): Estimate {
  return {
    nutrients,
    isWater: waterMilliliters > 0,
    waterMilliliters,
    confidence: null,
    comment: null,
    provenance: "imported",
  };
}
