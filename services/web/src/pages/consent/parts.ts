import type { Logger } from "@nutrition/core/logger";

import type { ProviderApi } from "../../identity-provider/provider-api.ts";
import type { SealedCookies } from "../../sessions/sealed-cookies.ts";
import type { Sessions } from "../../sessions/session.ts";
import type { PageParts } from "../page-parts.ts";

/** What the consent page is made with. */
export interface ConsentParts extends PageParts {
  readonly api: ProviderApi;
  readonly sessions: Sessions;
  readonly cookies: SealedCookies;
  readonly logger: Logger;
}
