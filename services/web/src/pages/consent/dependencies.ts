import type { Logger } from "@nutrition/core/logger";

import type { Announce } from "../../http/account-page.ts";
import type { Admission } from "../../http/admission.ts";
import type { IdentityProvider } from "../../identity-provider/identity-provider.ts";
import type { SealedCookies } from "../../sessions/sealed-cookies.ts";
import type { Sessions } from "../../sessions/session.ts";
import type { PageDependencies } from "../page-dependencies.ts";

/** Dependencies of the consent page. */
export interface ConsentDependencies extends PageDependencies {
  readonly provider: IdentityProvider;
  readonly sessions: Sessions;
  readonly cookies: SealedCookies;
  readonly logger: Logger;
  readonly admission: Admission;
  readonly announce: Announce;
}
