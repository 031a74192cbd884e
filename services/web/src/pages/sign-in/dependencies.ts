import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

import type { AccountPages } from "../../http/account-page.ts";
import type { IdentityProvider } from "../../identity-provider/identity-provider.ts";
import type { OpenedLinks } from "../../sessions/opened-links.ts";
import type { Sessions } from "../../sessions/session.ts";
import type { SignInFlows } from "../../sessions/sign-in-flows.ts";
import type { SignIns } from "../../sessions/sign-ins.ts";
import type { KnownDevices } from "./known-devices.ts";
import type { VisitorAttempts } from "./visitor-attempts.ts";

/** Dependencies of the sign-in pages. */
export interface SignInDependencies {
  readonly provider: IdentityProvider;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly flows: SignInFlows;
  readonly openedLinks: OpenedLinks;
  readonly devices: KnownDevices;
  /** Counts what sends a mail: sign-ups, recoveries, and confirmations sent again. */
  readonly mailRequests: VisitorAttempts;
  readonly accountPages: AccountPages;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The identity provider's names of the third parties offered for signing in. */
  readonly thirdParties: readonly string[];
}
