import type { CallOptions } from "@nutrition/rpc/service-definition";

/** How long the command line waits for any one call. */
export const CALL: CallOptions = { timeoutMs: 10_000 };
