import type { Clock } from "@nutrition/core/clock";

import type { Backends } from "../clients/backends.ts";
import type { AccountPages } from "../http/account-page.ts";

/** Dependencies of the pages. */
export interface PageDependencies {
  readonly backends: Backends;
  readonly accountPages: AccountPages;
  readonly clock: Clock;
  /** Public URL of the pages, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the service sends mails of its own. */
  readonly sendsMail: boolean;
}
