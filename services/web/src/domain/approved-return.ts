import type { RedirectTarget } from "./redirect-target.ts";

/**
 * What to do with a code that the identity provider issued without asking the person. `allowed`: pass it to
 * the client at once. `device`, `several`: pass it on after a click. `moved`: no client was allowed at that
 * host; return an error. `restart`: approvals without a grant had to be deleted; return an error.
 */
export type ApprovedReturn = "allowed" | "device" | "several" | "moved" | "restart";

/**
 * Decides by the code's destination. The provider does not say which of its approved clients is asking, and a
 * client can register any address. The browser therefore continues without a click only if every approved
 * client was allowed at exactly this host. On a device, any app may receive the code even then (RFC 8252
 * §8.6), so a click is needed. `approvedHosts` lists the host at which the person allowed each approved
 * client; undefined without a grant.
 */
export function decideApprovedReturn(
  target: RedirectTarget,
  approvedHosts: readonly (string | undefined)[],
): ApprovedReturn {
  if (approvedHosts.includes(undefined)) return "restart";
  if (!approvedHosts.includes(target.host)) return "moved";
  if (target.kind !== "site") return "device";
  return approvedHosts.every((host) => host === target.host) ? "allowed" : "several";
}
