import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { ServiceBinding } from "@nutrition/rpc/server";
import { bind } from "@nutrition/rpc/server";

import { access } from "./access.ts";
import { accountHandlers } from "./accounts.ts";
import { authenticate } from "./authenticate.ts";
import { authorizeConnector } from "./authorize-connector.ts";
import type { Dependencies } from "./dependencies.ts";
import { getProfile } from "./get-profile.ts";
import { grantHandlers } from "./grants.ts";
import { keyHandlers } from "./keys.ts";
import { reportLeakedKey } from "./report-leaked-key.ts";
import { signIn } from "./sign-in.ts";
import { upstreamDeletionHandlers } from "./upstream-deletions.ts";

/** All methods of the service with who may call them. */
export function authBinding(dependencies: Dependencies): ServiceBinding {
  const handlers = {
    authenticate: authenticate(dependencies),
    authorizeConnector: authorizeConnector(dependencies),
    signIn: signIn(dependencies),
    getProfile: getProfile(dependencies),
    ...accountHandlers(dependencies),
    ...keyHandlers(dependencies),
    reportLeakedKey: reportLeakedKey(dependencies),
    ...grantHandlers(dependencies),
    ...upstreamDeletionHandlers(dependencies),
  };
  return bind(AuthService, handlers, access);
}
