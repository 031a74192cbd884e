import { Failure } from "@nutrition/core/failure";
import type { CallOptions } from "@nutrition/rpc/service-definition";

import type { Person } from "../sessions/session.ts";

const TIMEOUT_MS = 5_000;
const AWAY = new Set(["unavailable", "deadline_exceeded", "cancelled", "resource_exhausted"]);

/** Options of a call for the person who looks at the page. */
export function callFor({ user }: Person): CallOptions {
  return { user, timeoutMs: TIMEOUT_MS };
}

/** The answer, or undefined when the service cannot answer now: for what a page can do without. */
export async function orNothing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Failure && AWAY.has(error.kind)) return undefined;
    throw error;
  }
}
