import { z } from "zod";

import type { ProviderAnswer, ProviderApi } from "./provider-api.ts";
import { providerAway } from "./provider-api.ts";

/**
 * Why an authorization request cannot be processed: it expired or belongs to another person, it was
 * answered before, or the person's session has ended.
 */
export type Refusal = { readonly kind: "gone" | "answered" | "signed_out" };

/** A client's authorization request. The client chooses its name freely. */
export interface AuthorizationDetails {
  readonly kind: "details";
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
}

/** A redirect to the client with a code or an error. */
export interface Redirect {
  readonly kind: "redirect";
  readonly redirectUrl: string;
}

const ADDRESS_MAX = 4_096;
const NAME_MAX = 120;
const address = z.string().min(1).max(ADDRESS_MAX);
const clientId = z.string().min(1).max(200);

const redirect = z
  .object({ redirect_url: address })
  .transform(({ redirect_url }): Redirect => ({ kind: "redirect", redirectUrl: redirect_url }));

const details = z
  .object({
    redirect_uri: address,
    client: z.object({ id: clientId, name: z.string().nullish() }),
  })
  .transform(({ redirect_uri, client }): AuthorizationDetails => ({
    kind: "details",
    clientId: client.id,
    clientName: [...(client.name ?? "")].slice(0, NAME_MAX).join(""),
    redirectUri: redirect_uri,
  }));

const grants = z.array(z.object({ client: z.object({ id: clientId }) })).max(1_000);

/**
 * Inspects an authorization request, which binds it to the person. Call it only once: if an earlier
 * consent covers the request, the result is a redirect with a code, and a second call is refused.
 */
export async function getAuthorization(
  api: ProviderApi,
  token: string,
  id: string,
): Promise<AuthorizationDetails | Redirect | Refusal> {
  const answer = await api.call("GET", `/oauth/authorizations/${encodeURIComponent(id)}`, {
    token,
  });
  return refusalOf(answer) ?? parse(z.union([redirect, details]), answer);
}

/** Sends the person's decision to the provider. */
export async function decideAuthorization(
  api: ProviderApi,
  token: string,
  { id, action }: { id: string; action: "approve" | "deny" },
): Promise<Redirect | Refusal> {
  const path = `/oauth/authorizations/${encodeURIComponent(id)}/consent`;
  const answer = await api.call("POST", path, { token, body: { action } });
  return refusalOf(answer) ?? parse(redirect, answer);
}

/** Lists the ids of the clients approved at the provider; undefined without a session. */
export async function listApprovedClients(
  api: ProviderApi,
  token: string,
): Promise<string[] | undefined> {
  const answer = await api.call("GET", "/user/oauth/grants", { token });
  if (isSignedOut(answer)) return undefined;
  return parse(grants, answer).map(({ client }) => client.id);
}

/** Deletes the provider's approval and ends the client's sessions. False without a session. */
export async function deleteApproval(
  api: ProviderApi,
  token: string,
  clientId: string,
): Promise<boolean> {
  const path = `/user/oauth/grants?${new URLSearchParams({ client_id: clientId }).toString()}`;
  const answer = await api.call("DELETE", path, { token });
  if (isSignedOut(answer)) return false;
  // The provider answers 400 for an id that it never issued.
  if (answer.errorCode === "" || [400, 404].includes(answer.status)) return true;
  throw providerAway(new Error(`It answered ${answer.status}.`));
}

function refusalOf(answer: ProviderAnswer): Refusal | undefined {
  if (answer.errorCode === "") return undefined;
  if (isSignedOut(answer)) return { kind: "signed_out" };
  if (answer.status === 404) return { kind: "gone" };
  if (answer.status === 400) return { kind: "answered" };
  throw providerAway(new Error(`It answered ${answer.status}.`));
}

function isSignedOut({ status }: ProviderAnswer): boolean {
  return status === 401 || status === 403;
}

function parse<Output>(shape: z.ZodType<Output>, { body, status }: ProviderAnswer): Output {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  throw providerAway(new Error(`Its answer (${status}) has an unknown form.`));
}
