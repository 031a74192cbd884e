import { expect, it } from "vitest";

import { CALL_LIMITS } from "../../services/gateway/src/schemas/write-inputs.ts";
import { exceededCallLimit } from "../../services/journal/src/domain/call-limits.ts";

it.each([
  ["food_text_lines", CALL_LIMITS.lines],
  ["food_text_characters", CALL_LIMITS.visible],
  ["replacement_text_characters", CALL_LIMITS.visible],
  ["merged_text_characters", CALL_LIMITS.visible],
  ["detailed_description_characters", CALL_LIMITS.details],
  ["correction_characters", CALL_LIMITS.details],
  ["analysis_text_characters", CALL_LIMITS.together],
  ["merge_items", CALL_LIMITS.merged.max],
] as const)("the journal enforces the documented %s, %i", (name, max) => {
  expect(exceededCallLimit({ [name]: max })).toBeUndefined();
  expect(exceededCallLimit({ [name]: max + 1 })).toMatchObject({ limit: { name, max } });
});
