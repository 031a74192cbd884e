import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Clock } from "@nutrition/core/clock";
import { isUuid } from "@nutrition/core/ids";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { checkWeight } from "../domain/weight.ts";
import type { DatabaseShares } from "../store/database-shares.ts";
import { deleteWeight, putWeight } from "../store/weight-store.ts";
import { accountOf } from "./account.ts";
import { refusingErased } from "./erased-account.ts";
import { invalid } from "./parameters.ts";

export function weightHandlers({ shares, clock }: { shares: DatabaseShares; clock: Clock }) {
  return {
    putWeight: async ({ accountId, weightId, weightKg, recordedAt, source, notes }, context) => {
      const account = accountOf(context, accountId);
      if (!recordedAt) throw invalid("recorded_at", "Give recorded_at.");
      const given = {
        id: weightId,
        weightKg,
        recordedAt: timestampDate(recordedAt),
        source,
        notes,
      };
      const now = clock.now();
      const weight = checkWeight(given, now);
      const db = shares.quick.writing(account, context.signal);
      await refusingErased(() => putWeight(db, account, { weight, now }));
      return {};
    },
    deleteWeight: async ({ accountId, weightId }, context) => {
      const account = accountOf(context, accountId);
      if (!isUuid(weightId)) throw invalid("weight_id", "weight_id must be a UUID.");
      await deleteWeight(shares.quick.writing(account, context.signal), account, weightId);
      return {};
    },
  } satisfies Handlers<typeof JournalService>;
}
