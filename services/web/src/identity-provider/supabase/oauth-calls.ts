import { z } from "zod";

import type {
  AuthorizationRedirect,
  AuthorizationRefusal,
  AuthorizationRequest,
} from "../identity-provider.ts";
import { providerUnavailable } from "../provider-unavailable.ts";
import type { SupabaseAnswer, SupabaseApi } from "./supabase-api.ts";

const ADDRESS_MAX = 4_096;
const NAME_MAX = 120;
const address = z.string().min(1).max(ADDRESS_MAX);
const clientId = z.string().min(1).max(200);

const redirect = z
  .object({ redirect_url: address })
  .transform(({ redirect_url }): AuthorizationRedirect => ({
    kind: "redirect",
    redirectUrl: redirect_url,
  }));

const details = z
  .object({
    redirect_uri: address,
    client: z.object({ id: clientId, name: z.string().nullish() }),
  })
  .transform(({ redirect_uri, client }): AuthorizationRequest => ({
    kind: "details",
    clientId: client.id,
    clientName: [...(client.name ?? "")].slice(0, NAME_MAX).join(""),
    redirectUri: redirect_uri,
  }));

const grants = z.array(z.object({ client: z.object({ id: clientId }) })).max(1_000);

/** See `IdentityProvider.inspectAuthorization`. GoTrue refuses a second inspection. */
export async function inspectAuthorization(
  api: SupabaseApi,
  token: string,
  id: string,
): Promise<AuthorizationRequest | AuthorizationRedirect | AuthorizationRefusal> {
  const answer = await api.call("GET", `/oauth/authorizations/${encodeURIComponent(id)}`, {
    token,
  });
  return refusalOf(answer) ?? parse(z.union([redirect, details]), answer);
}

/** See `IdentityProvider.decideAuthorization`. */
export async function decideAuthorization(
  api: SupabaseApi,
  token: string,
  { id, action }: { id: string; action: "approve" | "deny" },
): Promise<AuthorizationRedirect | AuthorizationRefusal> {
  const path = `/oauth/authorizations/${encodeURIComponent(id)}/consent`;
  const answer = await api.call("POST", path, { token, body: { action } });
  return refusalOf(answer) ?? parse(redirect, answer);
}

/** See `IdentityProvider.listApprovedClients`. */
export async function listApprovedClients(
  api: SupabaseApi,
  token: string,
): Promise<string[] | undefined> {
  const answer = await api.call("GET", "/user/oauth/grants", { token });
  if (isSignedOut(answer)) return undefined;
  return parse(grants, answer).map(({ client }) => client.id);
}

/** See `IdentityProvider.deleteApproval`. */
export async function deleteApproval(
  api: SupabaseApi,
  token: string,
  clientId: string,
): Promise<boolean> {
  const path = `/user/oauth/grants?${new URLSearchParams({ client_id: clientId }).toString()}`;
  const answer = await api.call("DELETE", path, { token });
  if (isSignedOut(answer)) return false;
  // The provider answers 400 for an id that it never issued.
  if (answer.errorCode === "" || [400, 404].includes(answer.status)) return true;
  throw providerUnavailable(new Error(`It answered ${answer.status}.`));
}

function refusalOf(answer: SupabaseAnswer): AuthorizationRefusal | undefined {
  if (answer.errorCode === "") return undefined;
  if (isSignedOut(answer)) return { kind: "signed_out" };
  if (answer.status === 404) return { kind: "gone" };
  if (answer.status === 400) return { kind: "answered" };
  throw providerUnavailable(new Error(`It answered ${answer.status}.`));
}

function isSignedOut({ status }: SupabaseAnswer): boolean {
  return status === 401 || status === 403;
}

function parse<Output>(shape: z.ZodType<Output>, { body, status }: SupabaseAnswer): Output {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  throw providerUnavailable(new Error(`Its answer (${status}) has an unknown form.`));
}
