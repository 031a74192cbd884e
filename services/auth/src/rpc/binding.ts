import { FairQueue } from "@nutrition/core/fair-queue";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { inTurn } from "@nutrition/rpc/in-turn";
import type { ServiceBinding } from "@nutrition/rpc/server";
import { bind } from "@nutrition/rpc/server";

import { access } from "./access.ts";
import { accountHandlers } from "./accounts.ts";
import { authenticate } from "./authenticate.ts";
import { authorizeConnector } from "./authorize-connector.ts";
import type { Dependencies } from "./dependencies.ts";
import { getProfile } from "./get-profile.ts";
import { erasureHandlers } from "./erasures.ts";
import { grantHandlers } from "./grants.ts";
import { identityHandlers } from "./identities.ts";
import { keyHandlers } from "./keys.ts";
import { mailHandlers } from "./mails.ts";
import { reportLeakedKey } from "./report-leaked-key.ts";
import { requireLiveSessions } from "./require-live-sessions.ts";
import { sessionHandlers } from "./sessions.ts";
import { signIn } from "./sign-in.ts";
import { signedKeyHandlers } from "./signed-keys.ts";
import { signInMethodHandlers } from "./sign-in-methods.ts";
import { upstreamDeletionHandlers } from "./upstream-deletions.ts";

/**
 * Calls for a person take turns at five of the pool's eight connections, so that credential
 * lookups, which have no user yet, always find a free one.
 */
const TURNS = { slots: 5, slotsPerKey: 2, waitingMax: 1_000, waitingPerKeyMax: 64 };

/** Binds all methods of the service with their access rules. */
export function authBinding(dependencies: Dependencies): ServiceBinding {
  const handlers = {
    authenticate: authenticate(dependencies),
    authorizeConnector: authorizeConnector(dependencies),
    ...signedKeyHandlers(dependencies),
    signIn: signIn(dependencies),
    getProfile: getProfile(dependencies),
    ...sessionHandlers(dependencies),
    ...accountHandlers(dependencies),
    ...identityHandlers(dependencies),
    ...keyHandlers(dependencies),
    reportLeakedKey: reportLeakedKey(dependencies),
    ...grantHandlers(dependencies),
    ...upstreamDeletionHandlers(dependencies),
    ...erasureHandlers(dependencies),
    ...mailHandlers(dependencies),
    ...signInMethodHandlers(dependencies),
  };
  const guarded = requireLiveSessions(dependencies, handlers);
  return bind(AuthService, inTurn(guarded, new FairQueue(TURNS)), access);
}
