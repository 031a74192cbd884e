import type { RedirectTarget } from "./redirect-target.ts";

/**
 * What to do with a code that the identity provider has made without asking:
 * - `allowed`: go back with it at once.
 * - `device`, `several`: go back with it if the person clicks.
 * - `moved`: nobody was allowed at that host; go back with an error.
 * - `restart`: approvals without a grant had to be taken back; go back with an error.
 */
export type ApprovedReturn = "allowed" | "device" | "several" | "moved" | "restart";

/**
 * Decides by where the code would go. The provider does not say which of the clients that it has
 * approved is asking, and a client registers what addresses it likes. So the browser goes on by itself
 * only when it makes no difference: each of them was allowed at exactly this host. Which app on a
 * device gets the code cannot be told even then (RFC 8252 §8.6).
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
