import type { UserIdentity } from "@nutrition/core/user-identity";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type {
  LogFoodResponse,
  WriteRefusal,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { createClient } from "@nutrition/rpc/client";
import type { OpenCalls } from "@nutrition/rpc/open-calls";
import type { CallOptions, Transport } from "@nutrition/rpc/service-definition";

import type { DeleteInput, EditInput, LogInput, MergeInput } from "./journal-requests.ts";
import { deleteRequest, editRequest, logRequest, mergeRequest } from "./journal-requests.ts";

const READ_TIMEOUT_MS = 5_000;
/** Longer than a slow analysis, and shorter than the 60 s default timeout of MCP clients. */
const WRITE_TIMEOUT_MS = 45_000;

export interface EntriesQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly limit: number;
}

/** Outcome of a write: the tool's result document, or the reason nothing changed. */
export type WriteOutcome = { readonly json: Uint8Array } | { readonly refusal: WriteRefusal };

/** The user of a read and the scope of its calls. */
export interface Reader {
  readonly user: UserIdentity;
  readonly calls: OpenCalls;
}

/** The user of a write. */
export interface Writer extends Reader {
  /** UUID of the HTTP request. */
  readonly requestId: string;
}

/**
 * The gateway's calls to the journal; documents are JSON bytes. They reject with a `Failure`. An
 * abandoned call is dropped unless it has begun; a write that has reserved its units is completed.
 */
export interface JournalClient {
  /** Without `date`, reads today in the user's time zone. */
  getSummary(reader: Reader, date: string | undefined): Promise<Uint8Array>;
  listEntries(reader: Reader, query: EntriesQuery): Promise<Uint8Array>;
  listWeights(reader: Reader, limit: number): Promise<Uint8Array>;
  /** `null` when the user has no settings. */
  getSettings(reader: Reader): Promise<Uint8Array>;
  logFood(input: LogInput, writer: Writer): Promise<WriteOutcome>;
  editFoodItem(input: EditInput, writer: Writer): Promise<WriteOutcome>;
  mergeFoodItems(input: MergeInput, writer: Writer): Promise<WriteOutcome>;
  deleteFoodItem(input: DeleteInput, writer: Writer): Promise<WriteOutcome>;
}

export function createJournalClient(transport: Transport): JournalClient {
  const client = createClient(JournalService, transport);
  type Call<Reply> = (options: CallOptions) => Promise<Reply>;
  const read = async (
    { user, calls }: Reader,
    call: Call<{ json: Uint8Array }>,
  ): Promise<Uint8Array> => {
    return (await call({ timeoutMs: READ_TIMEOUT_MS, user, ...calls.options })).json;
  };
  const write = async (
    { user, calls }: Writer,
    call: Call<Pick<LogFoodResponse, "outcome">>,
  ): Promise<WriteOutcome> => {
    return outcomeOf(await call({ timeoutMs: WRITE_TIMEOUT_MS, user, ...calls.options }));
  };
  return {
    getSummary: (reader, date = "") =>
      read(reader, (options) => client.getSummary({ date }, options)),
    listEntries: (reader, { start_date = "", end_date = "", limit }) => {
      const request = { startDate: start_date, endDate: end_date, limit };
      return read(reader, (options) => client.listEntries(request, options));
    },
    listWeights: (reader, limit) =>
      read(reader, (options) => client.listWeights({ limit }, options)),
    getSettings: (reader) => read(reader, (options) => client.getSettings({}, options)),
    logFood: (input, writer) =>
      write(writer, (options) => client.logFood(logRequest(input, writer.requestId), options)),
    editFoodItem: (input, writer) =>
      write(writer, (options) =>
        client.editFoodItem(editRequest(input, writer.requestId), options),
      ),
    mergeFoodItems: (input, writer) =>
      write(writer, (options) =>
        client.mergeFoodItems(mergeRequest(input, writer.requestId), options),
      ),
    deleteFoodItem: (input, writer) =>
      write(writer, (options) =>
        client.deleteFoodItem(deleteRequest(input, writer.requestId), options),
      ),
  };
}

/** All four writes have the same outcomes. */
function outcomeOf({ outcome }: Pick<LogFoodResponse, "outcome">): WriteOutcome {
  if (outcome.case === "result") return { json: outcome.value.json };
  if (outcome.case === "refusal") return { refusal: outcome.value };
  throw new Error("The journal returned no outcome for a write.");
}
