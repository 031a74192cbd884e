import { characterCount } from "@nutrition/core/text";

import { analysisTextCharacters, exceededCallLimit } from "./call-limits.ts";
import { idempotencyKeyRefusal } from "./idempotency-key.ts";
import { parseItemSelector } from "./item-selector.ts";
import type { ItemSelector, ItemSelectorInput } from "./item-selector.ts";
import {
  controlCharacterRefusal,
  hasControlCharacter,
  normalisedDetails,
  parseVisibleLine,
} from "./visible-text.ts";
import type { WriteRefusal } from "./write-refusal.ts";

/** Inputs of edit_food_item as received. */
export interface FoodEditInput {
  selector: ItemSelectorInput;
  replacementText: string;
  correction: string | undefined;
  detailedDescription: string | undefined;
  idempotencyKey: string | undefined;
}

/** Valid inputs of edit_food_item. */
export interface FoodEdit {
  selector: ItemSelector;
  /** The new visible line in NFC. */
  line: string;
  correction: string | null;
  /** Undefined keeps the stored details; null clears them. */
  details: string | null | undefined;
}

/** Validates the inputs, or returns the refusal for the first invalid one. */
export function parseFoodEdit(input: FoodEditInput): FoodEdit | WriteRefusal {
  const { replacementText, correction, detailedDescription, idempotencyKey } = input;
  const selector = parseItemSelector(input.selector);
  if ("code" in selector) return selector;
  const keyRefusal = idempotencyKeyRefusal(idempotencyKey);
  if (keyRefusal) return keyRefusal;
  const visible = parseVisibleLine("replacement_text", replacementText);
  if ("code" in visible) return visible;
  if (hasControlCharacter(correction)) return controlCharacterRefusal("correction");
  if (hasControlCharacter(detailedDescription)) {
    return controlCharacterRefusal("detailed_description");
  }
  const edit = {
    selector,
    line: visible.line,
    correction: normalisedDetails(correction),
    details: detailedDescription === undefined ? undefined : normalisedDetails(detailedDescription),
  };
  return lengthRefusal(edit) ?? edit;
}

function lengthRefusal({ line, correction, details }: FoodEdit): WriteRefusal | undefined {
  return exceededCallLimit({
    replacement_text_characters: characterCount(line),
    correction_characters: characterCount(correction ?? ""),
    detailed_description_characters: characterCount(details ?? ""),
  });
}

/** The refusal for an analysis text that is too long together with the item's details. */
export function editTextRefusal(
  { line, correction, details: given }: FoodEdit,
  details: string | null,
): WriteRefusal | undefined {
  const analysis_text_characters = analysisTextCharacters([line, correction, details]);
  const refusal = exceededCallLimit({ analysis_text_characters });
  if (!refusal?.limit || given !== undefined) return refusal;
  const { max, requested } = refusal.limit;
  const message = `replacement_text, correction and the item's stored details hold ${requested} characters together; at most ${max} are allowed. Give a shorter detailed_description: it replaces the stored one.`;
  return { ...refusal, message };
}
