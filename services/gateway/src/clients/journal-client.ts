import type { UserIdentity } from "@nutrition/core/user-identity";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type {
  LogFoodResponse,
  WriteRefusal,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { createClient } from "@nutrition/rpc/client";
import type { CallScope } from "@nutrition/rpc/call-scope";
import type { CallOptions, Client, Transport } from "@nutrition/rpc/service-definition";

const READ_TIMEOUT_MS = 5_000;
/** Longer than a slow analysis, and shorter than the 60 s default timeout of MCP clients. */
const WRITE_TIMEOUT_MS = 45_000;

/** A document of the public interface. */
export interface JournalDocument {
  /** UTF-8 JSON. */
  readonly json: Uint8Array;
  // The person's display units; figures in the document are kilocalories, milliliters and kilograms.
  readonly energyUnit?: string;
  readonly waterUnit?: string;
  readonly weightUnit?: string;
}

/** Outcome of a write: the tool's result document, or the reason nothing changed. */
export type WriteOutcome = JournalDocument | { readonly refusal: WriteRefusal };

/** The user of a read and the scope of its calls. */
export interface Reader {
  readonly user: UserIdentity;
  readonly calls: CallScope;
}

/** The user of a write. */
export interface Writer extends Reader {
  /** UUID of the HTTP request. */
  readonly requestId: string;
}

/** Makes one call of the journal with the options given. */
type JournalCall<Reply> = (
  client: Client<typeof JournalService>,
  options: CallOptions,
) => Promise<Reply>;

/**
 * The gateway's calls to the journal. They reject with a `Failure`. A cancelled call is dropped unless it has begun; a write that has reserved its units is completed.
 */
export interface JournalClient {
  read<Reply extends JournalDocument>(reader: Reader, call: JournalCall<Reply>): Promise<Reply>;
  write(writer: Writer, call: JournalCall<Pick<LogFoodResponse, "outcome">>): Promise<WriteOutcome>;
}

export function createJournalClient(transport: Transport): JournalClient {
  const client = createClient(JournalService, transport);
  return {
    read({ user, calls }, call) {
      return call(client, { timeoutMs: READ_TIMEOUT_MS, user, ...calls.options });
    },
    async write({ user, calls }, call) {
      const options = { timeoutMs: WRITE_TIMEOUT_MS, user, ...calls.options };
      return outcomeOf(await call(client, options));
    },
  };
}

/** All writes have the same outcomes. */
function outcomeOf({ outcome }: Pick<LogFoodResponse, "outcome">): WriteOutcome {
  if (outcome.case === "result") return outcome.value;
  if (outcome.case === "refusal") return { refusal: outcome.value };
  throw new Error("The journal returned no outcome for a write.");
}
