import type { UserIdentity } from "@nutrition/rpc/context";
import type { z } from "zod";

import type { AuthClient } from "./clients/auth-client.ts";
import type { JournalClient } from "./clients/journal-client.ts";
import { entriesInput, noInput, summaryInput, weightsInput } from "./schemas/inputs.ts";

/** A read of the public interface, the same behind REST and behind tools. */
export interface Read<Input extends z.ZodObject = z.ZodObject> {
  readonly input: Input;
  /** The document as JSON bytes. Rejects with a `Failure`. */
  readonly fetch: (user: UserIdentity, input: z.output<Input>) => Promise<Uint8Array>;
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
      fetch: async (user) =>
        profileDocument(await Promise.all([auth.getProfile(user), journal.getSettings(user)])),
    },
    summary: {
      input: summaryInput,
      fetch: (user, { date }) => journal.getSummary(user, date),
    },
    entries: {
      input: entriesInput,
      fetch: (user, query) => journal.listEntries(user, query),
    },
    weights: {
      input: weightsInput,
      fetch: (user, { limit }) => journal.listWeights(user, limit),
    },
  };
}

const BEFORE_PROFILE = Buffer.from('{"profile":');
const BEFORE_SETTINGS = Buffer.from(',"settings":');
const END = Buffer.from("}");

function profileDocument([profile, settings]: readonly [Uint8Array, Uint8Array]): Uint8Array {
  return Buffer.concat([BEFORE_PROFILE, profile, BEFORE_SETTINGS, settings, END]);
}
