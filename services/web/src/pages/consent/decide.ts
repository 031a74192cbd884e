import { Failure } from "@nutrition/core/failure";
import { GrantOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { callOptionsFor } from "../../clients/call-options.ts";
import type { Permission } from "../../domain/permissions.ts";
import { scopesOf } from "../../domain/permissions.ts";
import { readRedirectTarget } from "../../domain/redirect-target.ts";
import type {
  AuthorizationRedirect,
  AuthorizationRefusal,
} from "../../identity-provider/identity-provider.ts";
import type { Person } from "../../clients/person.ts";
import type { PendingAuthorization } from "./authorization-store.ts";
import { isExpected } from "./inspect-authorization.ts";
import type { ConsentDependencies } from "./dependencies.ts";

/**
 * Approves the client, first here and then at the provider, so that a token never permits more than the
 * person has seen. If the provider fails, revokes the grant unless the client was connected before. Safe to
 * retry. If another instance is approving or has approved the same request, `answered`, without any effect.
 */
export async function allow(
  dependencies: ConsentDependencies,
  person: Person,
  { asked, permission }: { asked: PendingAuthorization; permission: Permission },
): Promise<AuthorizationRedirect | AuthorizationRefusal> {
  const { id: authorizationId, clientId, clientName, redirectUri } = asked;
  const redirectHost = readRedirectTarget(redirectUri)!.host;
  const consent = { clientId, clientName, redirectHost, scopes: scopesOf(permission) };
  const { outcome } = await dependencies.backends.auth.putGrant(
    { ...consent, authorizationId },
    callOptionsFor(person),
  );
  if (outcome === GrantOutcome.REPEATED) return { kind: "answered" };
  if (outcome !== GrantOutcome.NEW)
    return decide(dependencies, person, { asked, action: "approve" });
  let answer: AuthorizationRedirect | AuthorizationRefusal | undefined;
  try {
    answer = await approveNew(dependencies, person, asked);
    return answer;
  } finally {
    if (answer?.kind !== "redirect") await takeBack(dependencies, person, clientId);
  }
}

/** An approval left over from an earlier connection must not be revived by this one. */
async function approveNew(
  dependencies: ConsentDependencies,
  person: Person,
  asked: PendingAuthorization,
): Promise<AuthorizationRedirect | AuthorizationRefusal> {
  const { provider } = dependencies;
  const isDeleted = await provider.deleteApproval(person.accessToken, asked.clientId);
  if (!isDeleted) return { kind: "signed_out" };
  return decide(dependencies, person, { asked, action: "approve" });
}

/** Denies the client; an earlier grant stays. */
export function deny(
  dependencies: ConsentDependencies,
  person: Person,
  asked: PendingAuthorization,
): Promise<AuthorizationRedirect | AuthorizationRefusal> {
  return decide(dependencies, person, { asked, action: "deny" });
}

async function decide(
  { provider }: ConsentDependencies,
  { accessToken }: Person,
  { asked, action }: { asked: PendingAuthorization; action: "approve" | "deny" },
): Promise<AuthorizationRedirect | AuthorizationRefusal> {
  const { id, redirectUri } = asked;
  const answer = await provider.decideAuthorization(accessToken, { id, action });
  if (answer.kind !== "redirect" || isExpected(answer.redirectUrl, redirectUri)) return answer;
  throw new Failure(
    "internal",
    "UNEXPECTED_REDIRECT",
    "The identity provider would redirect to an address that is not the client's.",
  );
}

/**
 * Seals no session for the deletion. The provider may have approved, which is harmless without a
 * grant, and a person who retries must not wait for a deletion.
 */
async function takeBack(
  { backends, logger }: ConsentDependencies,
  person: Person,
  clientId: string,
): Promise<void> {
  try {
    await backends.auth.revokeGrant({ clientId }, callOptionsFor(person));
  } catch (error) {
    logger.warn(
      { err: error, client_id: clientId },
      "a grant without approval could not be revoked",
    );
  }
}
