import type { Database } from "@nutrition/postgres/database";
import type { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import { parseReceipt } from "../domain/receipt.ts";
import { refundRequests } from "../operations/refund-requests.ts";
import { assertRange, invalid } from "./checks.ts";

const RECEIPTS_RANGE: [number, number] = [1, 256];

export function refundHandler(database: Database): Handler<typeof LimitsService, "refund"> {
  return async ({ receipts }) => {
    assertRange("the number of receipts", receipts.length, RECEIPTS_RANGE);
    const counted = receipts.map((receipt) => {
      const request = parseReceipt(receipt);
      if (!request) throw invalid("receipts", "receipts of Count");
      return request;
    });
    await refundRequests(database, counted);
    return {};
  };
}
