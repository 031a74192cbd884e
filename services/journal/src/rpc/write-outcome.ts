import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  WriteRefusalSchema,
  WriteResultSchema,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { CallContext } from "@nutrition/rpc/context";

import { withDuplicate } from "../domain/json-text.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";
import type { WriteOutcome } from "../operations/guarded-write.ts";
import { refusingErased } from "./erased-account.ts";

/** Fields common to the replies of all writes. */
export interface WriteResponse {
  outcome:
    | { case: "result"; value: MessageInitShape<typeof WriteResultSchema> }
    | { case: "refusal"; value: MessageInitShape<typeof WriteRefusalSchema> };
}

const WRITE_SCOPE = "nutrition.write";

/**
 * Runs a write and builds its reply. A user whose credential lacks the write permission is refused
 * first.
 */
export async function answerWrite(
  { user }: CallContext,
  write: () => Promise<WriteOutcome>,
): Promise<WriteResponse> {
  if (user && !user.scopes.includes(WRITE_SCOPE)) return refused(INSUFFICIENT_SCOPE);
  const outcome = await refusingErased(write);
  if ("refusal" in outcome) return refused(outcome.refusal);
  const { result, units, duplicate } = outcome;
  const json = Buffer.from(withDuplicate(result, duplicate));
  return { outcome: { case: "result", value: { json, duplicate, ...units } } };
}

const INSUFFICIENT_SCOPE: WriteRefusal = {
  code: "insufficient_scope",
  message: `This needs the permission ${WRITE_SCOPE}. Use a key or a connection that has it.`,
};

function refused(given: WriteRefusal): WriteResponse {
  const { violated, candidates, currentItem, deletedItem, ...refusal } = given;
  const value = {
    ...refusal,
    ...(deletedItem && { deletedItem: { ...deletedItem, itemId: deletedItem.id } }),
    violated: [...(violated ?? [])],
    candidates: (candidates ?? []).map(({ id, date, lineIndex, description, calories }) => {
      return { itemId: id, date, lineIndex, description, calories };
    }),
    currentItemJson: Buffer.from(currentItem ?? ""),
  };
  return { outcome: { case: "refusal", value } };
}
