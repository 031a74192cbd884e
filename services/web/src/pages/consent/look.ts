import { callFor } from "../../clients/person-calls.ts";
import { leadsTo, readRedirectTarget, withError } from "../../domain/redirect-target.ts";
import {
  deleteApproval,
  getAuthorization,
  listApprovedClients,
} from "../../identity-provider/oauth-calls.ts";
import type { Refusal } from "../../identity-provider/oauth-calls.ts";
import type { Person } from "../../sessions/session.ts";
import type { KnownAuthorization } from "./consent-memory.ts";
import type { ConsentParts } from "./parts.ts";

const REDIRECT_URI_MAX = 1_500;

/** An authorization that no browser can be sent back from. */
export interface Unusable {
  readonly kind: "unusable";
}

type Looks = Pick<ConsentParts, "api" | "backends">;

/** Looks at an authorization for the first and only time. */
export async function lookAt(
  parts: Looks,
  person: Person,
  id: string,
): Promise<KnownAuthorization | Refusal | Unusable> {
  const { subject, accessToken } = person;
  const found = await getAuthorization(parts.api, accessToken, id);
  if (found.kind === "redirect") return settle(parts, person, { id, ...found });
  if (found.kind !== "details") return found;
  const { clientId, clientName, redirectUri } = found;
  const isUsable = readRedirectTarget(redirectUri) && redirectUri.length <= REDIRECT_URI_MAX;
  if (!isUsable) return { kind: "unusable" };
  return { id, subject, state: "asked", clientId, clientName, redirectUri };
}

/**
 * The provider has approved without asking, as it remembers an earlier approval. It does not say for
 * which client, so that counts only if everything that it has approved is allowed here, too. What is
 * not is taken back there, and the client has to ask again. Nor does it count for a host that the
 * person has not seen: clients can register several. Whether an app on the person's device is the one
 * that they allowed cannot be told, so that takes a click (RFC 8252 §8.6).
 */
async function settle(
  { api, backends }: Looks,
  person: Person,
  { id, redirectUrl }: { id: string; redirectUrl: string },
): Promise<KnownAuthorization | Refusal | Unusable> {
  const { subject, accessToken } = person;
  const target = readRedirectTarget(redirectUrl);
  if (!target || redirectUrl.length > REDIRECT_URI_MAX) return { kind: "unusable" };
  const approved = await listApprovedClients(api, accessToken);
  if (!approved) return { kind: "signed_out" };
  const { grants } = await backends.auth.listGrants({}, callFor(person));
  const hosts = new Map(grants.map(({ clientId, redirectHost }) => [clientId, redirectHost]));
  const strangers = approved.filter((clientId) => !hosts.has(clientId));
  for (const clientId of strangers) await deleteApproval(api, accessToken, clientId);
  const settled = { id, subject, state: "settled" } as const;
  if (strangers.length === 0 && approved.some((clientId) => hosts.get(clientId) === target.host)) {
    return { ...settled, outcome: target.kind === "site" ? "allowed" : "device", redirectUrl };
  }
  const backUrl = withError(redirectUrl, "temporarily_unavailable", "Start connecting again.");
  const outcome = strangers.length > 0 ? "restart" : "moved";
  return { ...settled, outcome, redirectUrl: backUrl };
}

/** Whether the provider sends the browser where the client has registered. */
export function isExpected(redirectUrl: string, redirectUri: string): boolean {
  return redirectUrl.length <= REDIRECT_URI_MAX * 2 && leadsTo(redirectUrl, redirectUri);
}
