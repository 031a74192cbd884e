import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { Access } from "@nutrition/rpc/access";

/** Who may call what, and whether for a user. */
export const ACCESS: Access<typeof LimitsService> = {
  count: { callers: ["gateway"], user: "required" },
  reserve: { callers: ["journal"], user: "required" },
  commit: { callers: ["journal"], user: "optional" },
  release: { callers: ["journal"], user: "optional" },
  getUsage: { callers: ["web", "admin"], user: "session" },
  listTopSubjects: { callers: ["admin"], user: "none" },
  listRefusals: { callers: ["admin"], user: "none" },
  unlinkAccount: { callers: ["admin"], user: "none" },
};
