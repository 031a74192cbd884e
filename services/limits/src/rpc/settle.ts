import type { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { Database } from "@nutrition/postgres/database";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { settleReservation } from "../operations/settle-reservation.ts";
import { unlinkAccount } from "../operations/unlink-account.ts";
import { assertUuid } from "./checks.ts";

/** Handles Commit, Release and UnlinkAccount. */
export function settleHandlers(
  database: Database,
): Pick<Handlers<typeof LimitsService>, "commit" | "release" | "unlinkAccount"> {
  return {
    commit: async ({ reservationId }) => {
      assertUuid("reservation_id", reservationId);
      await settleReservation(database, reservationId, "committed");
      return {};
    },
    release: async ({ reservationId, analysisFailed }) => {
      assertUuid("reservation_id", reservationId);
      await settleReservation(database, reservationId, analysisFailed ? "failed" : "released");
      return {};
    },
    unlinkAccount: async ({ accountId }) => {
      assertUuid("account_id", accountId);
      await unlinkAccount(database, accountId);
      return {};
    },
  };
}
