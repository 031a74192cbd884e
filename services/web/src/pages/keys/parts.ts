import type { FormDrafts } from "../../sessions/form-drafts.ts";
import type { PageParts } from "../page-parts.ts";

/** Dependencies of the pages of keys. */
export interface KeysParts extends PageParts {
  readonly drafts: FormDrafts;
}
