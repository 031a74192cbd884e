import type { FormDrafts } from "../../sessions/form-drafts.ts";
import type { PageDependencies } from "../page-dependencies.ts";

/** Dependencies of the pages of keys. */
export interface KeysDependencies extends PageDependencies {
  readonly drafts: FormDrafts;
}
