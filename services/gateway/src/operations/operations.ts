import { deleteFoodItem } from "./delete-food-item.ts";
import { editFoodItem } from "./edit-food-item.ts";
import { getNutritionSummary } from "./get-nutrition-summary.ts";
import { getProfile } from "./get-profile.ts";
import { listFoodEntries } from "./list-food-entries.ts";
import { listWeightHistory } from "./list-weight-history.ts";
import { logFood } from "./log-food.ts";
import { mergeFoodItems } from "./merge-food-items.ts";
import type { Operation, RestRead, ToolOperation } from "./operation.ts";

/** The public interface, in the order of `tools/list`. */
const OPERATIONS: readonly Operation[] = [
  logFood,
  editFoodItem,
  mergeFoodItems,
  deleteFoodItem,
  getNutritionSummary,
  listFoodEntries,
  getProfile,
  listWeightHistory,
];

export const REST_READS: readonly RestRead[] = OPERATIONS.flatMap(({ rest }) => rest ?? []);

export const TOOL_OPERATIONS: readonly ToolOperation[] = OPERATIONS.flatMap(
  ({ tool }) => tool ?? [],
);
