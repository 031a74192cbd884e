import { profileExample } from "../src/operations/get-profile.ts";
import { summaryExample } from "../src/operations/get-nutrition-summary.ts";
import { entriesExample } from "../src/operations/list-food-entries.ts";
import { weightsExample } from "../src/operations/list-weight-history.ts";

/** The fake backends' documents: the reference's own examples. */
export const EXAMPLES = {
  profile: profileExample,
  summary: summaryExample,
  entries: entriesExample,
  weights: weightsExample,
};
