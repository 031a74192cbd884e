import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type {
  LogFoodResponse,
  WriteRefusal,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { createClient } from "@nutrition/rpc/client";
import type { UserIdentity } from "@nutrition/rpc/context";
import type { Transport } from "@nutrition/rpc/service-definition";

import type { DeleteInput, EditInput, LogInput, MergeInput } from "./journal-requests.ts";
import { deleteRequest, editRequest, logRequest, mergeRequest } from "./journal-requests.ts";

const READ_TIMEOUT_MS = 5_000;
/** Covers a slow analysis, and ends before the 60 s that MCP clients wait by default. */
const WRITE_TIMEOUT_MS = 45_000;

export interface EntriesQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly limit: number;
}

/** Outcome of a write: the tool's result document, or why nothing changed. */
export type WriteOutcome = { readonly json: Uint8Array } | { readonly refusal: WriteRefusal };

/** Who writes, and in which HTTP request. */
export interface Writer {
  readonly user: UserIdentity;
  readonly requestId: string;
}

/** What the gateway asks of the journal; documents are JSON bytes. Rejects with a `Failure`. */
export interface JournalClient {
  /** `date` absent asks for today in the user's timezone. */
  getSummary(user: UserIdentity, date: string | undefined): Promise<Uint8Array>;
  listEntries(user: UserIdentity, query: EntriesQuery): Promise<Uint8Array>;
  listWeights(user: UserIdentity, limit: number): Promise<Uint8Array>;
  /** `null` when the user has no settings. */
  getSettings(user: UserIdentity): Promise<Uint8Array>;
  logFood(input: LogInput, writer: Writer): Promise<WriteOutcome>;
  editFoodItem(input: EditInput, writer: Writer): Promise<WriteOutcome>;
  mergeFoodItems(input: MergeInput, writer: Writer): Promise<WriteOutcome>;
  deleteFoodItem(input: DeleteInput, writer: Writer): Promise<WriteOutcome>;
}

export function createJournalClient(transport: Transport): JournalClient {
  const client = createClient(JournalService, transport);
  const reading = (user: UserIdentity) => ({ timeoutMs: READ_TIMEOUT_MS, user });
  const writing = ({ user }: Writer) => ({ timeoutMs: WRITE_TIMEOUT_MS, user });
  return {
    getSummary: async (user, date = "") => (await client.getSummary({ date }, reading(user))).json,
    async listEntries(user, { start_date = "", end_date = "", limit }) {
      const request = { startDate: start_date, endDate: end_date, limit };
      return (await client.listEntries(request, reading(user))).json;
    },
    listWeights: async (user, limit) => (await client.listWeights({ limit }, reading(user))).json,
    getSettings: async (user) => (await client.getSettings({}, reading(user))).json,
    logFood: async (input, writer) =>
      outcomeOf(await client.logFood(logRequest(input, writer.requestId), writing(writer))),
    editFoodItem: async (input, writer) =>
      outcomeOf(await client.editFoodItem(editRequest(input, writer.requestId), writing(writer))),
    mergeFoodItems: async (input, writer) =>
      outcomeOf(
        await client.mergeFoodItems(mergeRequest(input, writer.requestId), writing(writer)),
      ),
    deleteFoodItem: async (input, writer) =>
      outcomeOf(
        await client.deleteFoodItem(deleteRequest(input, writer.requestId), writing(writer)),
      ),
  };
}

/** The answers of all four writes have the same outcomes. */
function outcomeOf({ outcome }: Pick<LogFoodResponse, "outcome">): WriteOutcome {
  if (outcome.case === "result") return { json: outcome.value.json };
  if (outcome.case === "refusal") return { refusal: outcome.value };
  throw new Error("The journal answered a write with no outcome.");
}
