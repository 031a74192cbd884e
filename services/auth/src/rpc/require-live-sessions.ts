import type { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { CallContext } from "@nutrition/rpc/context";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { assertLive } from "../operations/assert-session.ts";
import { access } from "./access.ts";
import type { Dependencies } from "./dependencies.ts";
import { sessionOf } from "./session-of.ts";

type Method = keyof typeof AuthService.method;
type Handler = (request: never, context: CallContext) => Promise<unknown>;

/** Methods that accept an ended session, too. */
const ANSWERING_ENDED: ReadonlySet<Method> = new Set<Method>(["checkSession", "endSession"]);

/**
 * Checks, for every method that can be called with a session, that the session is live; the
 * caller's assertion is not enough. Access rules decide which methods those are, so new ones are
 * covered automatically.
 */
export function requireLiveSessions<All extends Handlers<typeof AuthService>>(
  { database }: Pick<Dependencies, "database">,
  handlers: All,
): All {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    const method = name as Method;
    const isGuarded = access[method]?.user === "session" && !ANSWERING_ENDED.has(method);
    if (!isGuarded) return [name, handler];
    const inner = handler as Handler;
    const outer: Handler = async (request, context) => {
      if (context.user) await assertLive(database, sessionOf(context));
      return inner(request, context);
    };
    return [name, outer];
  });
  return Object.fromEntries(guarded) as All;
}
