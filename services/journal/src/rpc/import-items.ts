import { newId } from "@nutrition/core/ids";
import type { Clock } from "@nutrition/core/clock";
import { amountsOf } from "@nutrition/core/nutrients";
import type {
  ImportedItem,
  JournalService,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import type { ImportInput } from "../domain/imported-item.ts";
import { importItems } from "../operations/import-items.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import { accountOf } from "./account.ts";
import { refusingErased } from "./erased-account.ts";
import { invalid } from "./parameters.ts";

const ITEMS_MAX = 500;
const SOURCES = ["myfitnesspal", "cronometer"];

/** For operators only. */
export function importItemsHandler({
  shares,
  clock,
}: {
  shares: DatabaseShares;
  clock: Clock;
}): Handler<typeof JournalService, "importItems"> {
  return async ({ accountId: account, source, items, dryRun }, context) => {
    const accountId = accountOf(context, account);
    if (!SOURCES.includes(source)) {
      throw invalid("source", `source must be one of ${SOURCES.join(", ")}.`);
    }
    if (items.length < 1 || items.length > ITEMS_MAX) {
      throw invalid("items", `Give 1 to ${ITEMS_MAX} items.`);
    }
    const actor = {
      accountId,
      origin: "import",
      credential: undefined,
      requestId: newId(),
    } as const;
    const batch = { actor, source, items: items.map(toInput), dryRun };
    const database = shares.writes.writing(accountId, context.signal);
    return refusingErased(() => importItems({ database, clock }, batch));
  };
}

function toInput(item: ImportedItem): ImportInput {
  const { externalId, date, description, detailedDescription, waterMilliliters } = item;
  return {
    externalId,
    date,
    description,
    detailedDescription,
    waterMilliliters,
    nutrients: amountsOf(item),
  };
}
