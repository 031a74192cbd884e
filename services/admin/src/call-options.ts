import type { CallOptions } from "@nutrition/rpc/service-definition";

/** Timeout of a call. */
export const CALL: CallOptions = { timeoutMs: 10_000 };

/** Timeout of a call that works on many rows. */
export const LONG_CALL: CallOptions = { timeoutMs: 120_000 };

/** Timeout of a call that works on all rows, after an import. */
export const IMPORT_CALL: CallOptions = { timeoutMs: 600_000 };
