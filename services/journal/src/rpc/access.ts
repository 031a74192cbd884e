import { WRITE_TOOLS } from "@nutrition/core/write-tools";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Access } from "@nutrition/rpc/access";

const READERS = ["gateway", "web"];
const SETTERS = ["web", "admin"];
/** Tools write for their user, through the gateway. */
const TOOLS: Access<typeof JournalService> = Object.fromEntries(
  Object.values(WRITE_TOOLS).map(({ method }) => [
    method,
    { callers: ["gateway"], user: "required" },
  ]),
);

/**
 * Which services may call each method. Methods with an `optional` user verify themselves that only
 * operators omit it.
 */
export const ACCESS: Access<typeof JournalService> = {
  getSummary: { callers: READERS, user: "required" },
  listEntries: { callers: READERS, user: "required" },
  listWeights: { callers: READERS, user: "required" },
  findWeights: { callers: ["web"], user: "required" },
  listDailyTotals: { callers: ["web"], user: "required" },
  listOccasions: { callers: ["web"], user: "required" },
  getSettings: { callers: [...READERS, "admin"], user: "optional" },
  ...TOOLS,
  logFood: { callers: ["gateway", "admin"], user: "optional" },
  resolveReservation: { callers: ["limits"], user: "none" },
  updateSettings: { callers: SETTERS, user: "session" },
  putWeight: { callers: SETTERS, user: "session" },
  deleteWeight: { callers: SETTERS, user: "session" },
  listMutations: { callers: SETTERS, user: "session" },
  importItems: { callers: ["admin"], user: "none" },
  exportJournal: { callers: SETTERS, user: "session" },
  eraseAccount: { callers: SETTERS, user: "none" },
};
