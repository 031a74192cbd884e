import type { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { OwnSession } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import * as operations from "../operations/end-sessions.ts";
import { findLiveSession } from "../store/session-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { sessionOf } from "./session-of.ts";

const OWN: Readonly<Record<OwnSession, operations.OwnSession>> = {
  [OwnSession.UNSPECIFIED]: "end",
  [OwnSession.END]: "end",
  [OwnSession.KEEP]: "keep",
  [OwnSession.REPLACE]: "replace",
};

/** Handles session checks of the pages, and ending sessions. */
export function sessionHandlers(dependencies: Dependencies) {
  return {
    async checkSession(_request, context) {
      const session = await findLiveSession(dependencies.database, sessionOf(context));
      return { isLive: session !== undefined, isRecent: session?.isRecent ?? false };
    },
    async endSession(_request, context) {
      await operations.endSession(dependencies, sessionOf(context));
      return {};
    },
    async endAllSessions({ ownSession }, context) {
      const own = OWN[ownSession] ?? "end";
      const left = await operations.endAllSessions(dependencies, sessionOf(context), own);
      return { sessionId: left ?? "" };
    },
  } satisfies Handlers<typeof AuthService>;
}
