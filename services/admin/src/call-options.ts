import type { CallOptions } from "@nutrition/rpc/service-definition";

/** How long the command line waits for a call. */
export const CALL: CallOptions = { timeoutMs: 10_000 };

/** The same for a call that works on many rows. */
export const LONG_CALL: CallOptions = { timeoutMs: 120_000 };

/** The same for the work on all rows that follows an import. */
export const IMPORT_CALL: CallOptions = { timeoutMs: 600_000 };
