import { Failure } from "@nutrition/core/failure";
import type { CallOptions } from "@nutrition/rpc/service-definition";

import type { Person } from "./person.ts";

const TIMEOUT_MS = 5_000;
const AWAY = new Set(["unavailable", "deadline_exceeded", "cancelled", "resource_exhausted"]);

/** Call options for the person who requested the page. */
export function callOptionsFor({ user, calls }: Person): CallOptions {
  return { user, timeoutMs: TIMEOUT_MS, ...calls.options };
}

/** Resolves with undefined if the service is unavailable, for optional parts of a page. */
export async function undefinedIfUnavailable<Answer>(
  call: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Failure && AWAY.has(error.kind)) return undefined;
    throw error;
  }
}
