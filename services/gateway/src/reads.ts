import type { z } from "zod";

import type { AuthClient } from "./clients/auth-client.ts";
import type { JournalClient, Reader } from "./clients/journal-client.ts";
import { entriesInput, noInput, summaryInput, weightsInput } from "./schemas/inputs.ts";

/** A read of the public interface, the same behind REST and behind tools. */
export interface Read<Input extends z.ZodObject = z.ZodObject> {
  readonly input: Input;
  /** The document as JSON bytes. Rejects with a `Failure`. */
  readonly fetch: (reader: Reader, input: z.output<Input>) => Promise<Uint8Array>;
}

export interface Reads {
  readonly profile: Read<typeof noInput>;
  readonly summary: Read<typeof summaryInput>;
  readonly entries: Read<typeof entriesInput>;
  readonly weights: Read<typeof weightsInput>;
}

/** What the reads are made of. */
export interface ReadSources {
  readonly auth: Pick<AuthClient, "getProfile">;
  readonly journal: JournalClient;
}

export function createReads({ auth, journal }: ReadSources): Reads {
  return {
    profile: {
      input: noInput,
      fetch: async (reader) =>
        profileDocument(await Promise.all([auth.getProfile(reader), journal.getSettings(reader)])),
    },
    summary: {
      input: summaryInput,
      fetch: (reader, { date }) => journal.getSummary(reader, date),
    },
    entries: {
      input: entriesInput,
      fetch: (reader, query) => journal.listEntries(reader, query),
    },
    weights: {
      input: weightsInput,
      fetch: (reader, { limit }) => journal.listWeights(reader, limit),
    },
  };
}

const BEFORE_PROFILE = Buffer.from('{"profile":');
const BEFORE_SETTINGS = Buffer.from(',"settings":');
const END = Buffer.from("}");

function profileDocument([profile, settings]: readonly [Uint8Array, Uint8Array]): Uint8Array {
  return Buffer.concat([BEFORE_PROFILE, profile, BEFORE_SETTINGS, settings, END]);
}
