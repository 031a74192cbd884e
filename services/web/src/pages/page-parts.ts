import type { Clock } from "@nutrition/core/clock";

import type { Backends } from "../clients/backends.ts";
import type { AccountPages } from "../http/account-page.ts";

/** What pages are made with. */
export interface PageParts {
  readonly backends: Backends;
  readonly accountPages: AccountPages;
  readonly clock: Clock;
  /** Address under which people see the pages, without a slash at the end. */
  readonly baseUrl: string;
}
