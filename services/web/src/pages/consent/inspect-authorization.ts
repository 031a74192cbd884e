import { callOptionsFor } from "../../clients/call-options.ts";
import { decideApprovedReturn } from "../../domain/approved-return.ts";
import { leadsTo, readRedirectTarget, withError } from "../../domain/redirect-target.ts";
import type { AuthorizationRefusal } from "../../identity-provider/identity-provider.ts";
import type { Person } from "../../clients/person.ts";
import type { StoredAuthorization } from "./authorization-store.ts";
import type { ConsentDependencies } from "./dependencies.ts";

const REDIRECT_URI_MAX = 1_500;

/** An authorization request that cannot be completed, so the browser cannot return to the client. */
export interface Unusable {
  readonly kind: "unusable";
}

type InspectionDependencies = Pick<ConsentDependencies, "provider" | "backends">;

/** Inspects an authorization request. Call it only once for each request. */
export async function inspectAuthorization(
  dependencies: InspectionDependencies,
  person: Person,
  id: string,
): Promise<StoredAuthorization | AuthorizationRefusal | Unusable> {
  const { subject, accessToken } = person;
  const found = await dependencies.provider.inspectAuthorization(accessToken, id);
  if (found.kind === "redirect") return settle(dependencies, person, { id, ...found });
  if (found.kind !== "details") return found;
  const { clientId, clientName, redirectUri } = found;
  const isUsable = readRedirectTarget(redirectUri) && redirectUri.length <= REDIRECT_URI_MAX;
  if (!isUsable) return { kind: "unusable" };
  return { id, subject, state: "asked", clientId, clientName, redirectUri };
}

/**
 * Handles a request that the provider approved without asking, because of an earlier approval. Deletes
 * approvals that have no grant here; their clients have to ask again.
 */
async function settle(
  { provider, backends }: InspectionDependencies,
  person: Person,
  { id, redirectUrl }: { id: string; redirectUrl: string },
): Promise<StoredAuthorization | AuthorizationRefusal | Unusable> {
  const { subject, accessToken } = person;
  const target = readRedirectTarget(redirectUrl);
  if (!target || redirectUrl.length > REDIRECT_URI_MAX) return { kind: "unusable" };
  const approved = await provider.listApprovedClients(accessToken);
  if (!approved) return { kind: "signed_out" };
  const { grants } = await backends.auth.listGrants({}, callOptionsFor(person));
  const hosts = new Map(grants.map(({ clientId, redirectHost }) => [clientId, redirectHost]));
  const strangers = approved.filter((clientId) => !hosts.has(clientId));
  for (const clientId of strangers) await provider.deleteApproval(accessToken, clientId);
  const outcome = decideApprovedReturn(
    target,
    approved.map((clientId) => hosts.get(clientId)),
  );
  const mayReturn = outcome !== "moved" && outcome !== "restart";
  return {
    id,
    subject,
    state: "settled",
    outcome,
    redirectUrl: mayReturn
      ? redirectUrl
      : withError(redirectUrl, "temporarily_unavailable", "Start connecting again."),
  };
}

/** Whether the provider's redirect leads to the address that the client registered. */
export function isExpected(redirectUrl: string, redirectUri: string): boolean {
  return redirectUrl.length <= REDIRECT_URI_MAX * 2 && leadsTo(redirectUrl, redirectUri);
}
