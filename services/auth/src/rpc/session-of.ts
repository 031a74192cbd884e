import { isUuid } from "@nutrition/core/ids";
import type { CallContext } from "@nutrition/rpc/context";

import type { SessionKey } from "../domain/session.ts";
import { sessionEnded } from "../domain/session.ts";
import type { Actor } from "../operations/assert-session.ts";

/** The session of a call; fails with `unauthenticated` for an invalid id. */
export function sessionOf({ user }: CallContext): SessionKey {
  if (!user || !isUuid(user.credentialId)) throw sessionEnded();
  return { accountId: user.accountId, sessionId: user.credentialId };
}

/** Who requests a write that only a person on the pages or an operator may make. */
export function actorOf(context: CallContext): Actor {
  return context.user ? sessionOf(context) : "operator";
}
