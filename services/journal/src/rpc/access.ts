import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Access } from "@nutrition/rpc/access";

const READERS = ["gateway", "web"];
const SETTERS = ["web", "admin"];

/**
 * Which services may call each method. Methods with an `optional` user verify themselves that only
 * operators omit it.
 */
export const ACCESS: Access<typeof JournalService> = {
  getSummary: { callers: READERS, user: "required" },
  listEntries: { callers: READERS, user: "required" },
  listWeights: { callers: READERS, user: "required" },
  listDailyTotals: { callers: ["web"], user: "required" },
  listOccasions: { callers: ["web"], user: "required" },
  getSettings: { callers: [...READERS, "admin"], user: "optional" },
  logFood: { callers: ["gateway", "admin"], user: "optional" },
  editFoodItem: { callers: ["gateway"], user: "required" },
  mergeFoodItems: { callers: ["gateway"], user: "required" },
  deleteFoodItem: { callers: ["gateway"], user: "required" },
  resolveReservation: { callers: ["limits"], user: "none" },
  updateSettings: { callers: SETTERS, user: "session" },
  putWeight: { callers: SETTERS, user: "session" },
  deleteWeight: { callers: SETTERS, user: "session" },
  listMutations: { callers: SETTERS, user: "session" },
  importItems: { callers: ["admin"], user: "none" },
  exportJournal: { callers: SETTERS, user: "session" },
  eraseAccount: { callers: SETTERS, user: "none" },
};
