import type { MessageInitShape } from "@bufbuild/protobuf";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type {
  DeleteFoodItemRequestSchema,
  EditFoodItemRequestSchema,
  LogFoodRequestSchema,
  MergeFoodItemsRequestSchema,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";

type Optional = string | undefined;

/** Inputs of the write tools, by their public names. */
export interface LogInput {
  readonly food_text: string;
  readonly detailed_description?: Optional;
  readonly date?: Optional;
  readonly idempotency_key?: Optional;
}

export interface DeleteInput {
  readonly item_id?: Optional;
  readonly date?: Optional;
  readonly item_query?: Optional;
  readonly idempotency_key?: Optional;
}

export interface EditInput extends DeleteInput {
  readonly replacement_text: string;
  readonly correction?: Optional;
  readonly detailed_description?: Optional;
}

export interface MergeInput {
  readonly item_ids?: string[] | undefined;
  readonly date?: Optional;
  readonly item_queries?: string[] | undefined;
  readonly merged_text: string;
  readonly idempotency_key?: Optional;
}

export function logRequest(
  input: LogInput,
  requestId: string,
): MessageInitShape<typeof LogFoodRequestSchema> {
  return {
    origin: Origin.TOOL,
    foodText: input.food_text,
    requestId,
    ...given({
      detailedDescription: input.detailed_description,
      date: input.date,
      idempotencyKey: input.idempotency_key,
    }),
  };
}

export function editRequest(
  input: EditInput,
  requestId: string,
): MessageInitShape<typeof EditFoodItemRequestSchema> {
  return {
    item: selectorOf(input),
    replacementText: input.replacement_text,
    requestId,
    ...given({
      correction: input.correction,
      detailedDescription: input.detailed_description,
      idempotencyKey: input.idempotency_key,
    }),
  };
}

export function mergeRequest(
  input: MergeInput,
  requestId: string,
): MessageInitShape<typeof MergeFoodItemsRequestSchema> {
  return {
    itemIds: input.item_ids ?? [],
    itemQueries: input.item_queries ?? [],
    mergedText: input.merged_text,
    requestId,
    ...given({ date: input.date, idempotencyKey: input.idempotency_key }),
  };
}

export function deleteRequest(
  input: DeleteInput,
  requestId: string,
): MessageInitShape<typeof DeleteFoodItemRequestSchema> {
  const { idempotency_key: idempotencyKey } = input;
  return { item: selectorOf(input), requestId, ...given({ idempotencyKey }) };
}

function selectorOf({ item_id: itemId, date, item_query: query }: DeleteInput) {
  return given({ itemId, date, query });
}

/** Omits undefined members: absent and empty differ on the wire. */
function given<Values extends Record<string, Optional>>(values: Values) {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [Name in keyof Values]?: string };
}
