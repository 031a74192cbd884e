import type { RedirectTarget } from "./redirect-target.ts";

/**
 * What to do with a code that the identity provider issued without asking:
 * - `allowed`: return it immediately.
 * - `device`, `several`: return it when the person clicks.
 * - `moved`: nobody was allowed at that host; return an error.
 * - `restart`: approvals without a grant had to be deleted; return an error.
 */
export type ApprovedReturn = "allowed" | "device" | "several" | "moved" | "restart";

/**
 * Decides by the code's destination. The provider does not say which of its approved clients is
 * asking, and a client can register any addresses. So the browser continues without a click only
 * when it makes no difference: each of them was allowed at exactly this host. Which app on a device
 * gets the code is unknown even then (RFC 8252 §8.6).
 *
 * `approvedHosts` has, for each approved client, the host at which the person has allowed it here;
 * undefined without a grant.
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
