import { z } from "zod";

import type { ProviderAnswer, ProviderApi } from "./provider-api.ts";
import { providerAway } from "./provider-api.ts";

/**
 * Why an authorization cannot be dealt with: it has lapsed or is another person's, it was answered
 * before, or the person's session has ended.
 */
export type Refusal = { readonly kind: "gone" | "answered" | "signed_out" };

/** What a client asks for. Its name is whatever it calls itself. */
export interface AuthorizationDetails {
  readonly kind: "details";
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
}

/** An address of the client that holds a code or an error. */
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
 * Looks at an authorization, which binds it to the person. To be called once: when an earlier consent
 * covers it, the answer is a redirect with a code, and asking again is refused.
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

/** Tells the provider what the person decided. */
export async function decideAuthorization(
  api: ProviderApi,
  token: string,
  { id, action }: { id: string; action: "approve" | "deny" },
): Promise<Redirect | Refusal> {
  const path = `/oauth/authorizations/${encodeURIComponent(id)}/consent`;
  const answer = await api.call("POST", path, { token, body: { action } });
  return refusalOf(answer) ?? parse(redirect, answer);
}

/** Ids of the clients that the provider lets act for the person; undefined without a session. */
export async function listApprovedClients(
  api: ProviderApi,
  token: string,
): Promise<string[] | undefined> {
  const answer = await api.call("GET", "/user/oauth/grants", { token });
  if (isSignedOut(answer)) return undefined;
  return parse(grants, answer).map(({ client }) => client.id);
}

/** Takes the provider's approval back and ends the client's sessions. False without a session. */
export async function deleteApproval(
  api: ProviderApi,
  token: string,
  clientId: string,
): Promise<boolean> {
  const path = `/user/oauth/grants?${new URLSearchParams({ client_id: clientId }).toString()}`;
  const answer = await api.call("DELETE", path, { token });
  if (isSignedOut(answer)) return false;
  // 400 is for an id that the provider has never given out.
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
