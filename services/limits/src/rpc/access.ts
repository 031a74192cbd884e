import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { Access } from "@nutrition/rpc/access";

/** Which services may call each method, and whether a user is required. */
export const ACCESS: Access<typeof LimitsService> = {
  count: { callers: ["gateway"], user: "required" },
  refund: { callers: ["gateway"], user: "none" },
  reserve: { callers: ["journal"], user: "required" },
  commit: { callers: ["journal"], user: "optional" },
  release: { callers: ["journal"], user: "optional" },
  getUsage: { callers: ["web", "admin"], user: "session" },
  listTopSubjects: { callers: ["admin"], user: "none" },
  listRefusals: { callers: ["admin"], user: "none" },
  unlinkAccount: { callers: ["admin", "web"], user: "none" },
};
