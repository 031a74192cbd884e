import { HttpRefusal } from "../http/refusal.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Principal } from "./principal.ts";
import { mayRead } from "./principal.ts";
import type { RequestCounter } from "./request-counter.ts";

/** What every authenticated request passes: who it is from, and whether there is room for it. */
export interface Admission {
  readonly authenticator: Authenticator;
  readonly counter: RequestCounter;
}

/** Throws the refusal `insufficient_scope` unless the credential may read. */
export function assertMayRead(principal: Principal): void {
  if (mayRead(principal)) return;
  throw new HttpRefusal(
    "insufficient_scope",
    "This credential does not have the permission service.read. Use a key that has it.",
  );
}
