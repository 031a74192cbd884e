import type {
  AuthorizationServerMetadata,
  OAuthClientInformationFull,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from "@modelcontextprotocol/client";
import type { GoTrueClient } from "@supabase/auth-js";

export const REDIRECT_URI = "http://127.0.0.1:43110/callback";

/** A client's request: the address to open in a browser, and the secret that belongs to it. */
export interface AuthorizationRequest {
  address: URL;
  codeVerifier: string;
}

/** A client's request that has got as far as the consent page. */
export interface Begun {
  authorizationId: string;
  codeVerifier: string;
}

/** An assistant that uses the OAuth functions of the official MCP client. */
export class Assistant {
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  readonly information: OAuthClientInformationFull;

  private constructor(
    issuer: string,
    metadata: AuthorizationServerMetadata,
    information: OAuthClientInformationFull,
  ) {
    this.issuer = issuer;
    this.metadata = metadata;
    this.information = information;
  }

  /** Registers a new client, a public one unless told otherwise. */
  static async register(issuer: string, changes: Partial<OAuthClientMetadata> = {}) {
    const metadata = await discoverAuthorizationServerMetadata(issuer);
    if (!metadata) throw new Error("There is no metadata.");
    const clientMetadata = {
      client_name: "Contract test",
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: "none",
      ...changes,
    };
    const information = await registerClient(issuer, { metadata, clientMetadata });
    return new Assistant(issuer, metadata, information);
  }

  /** The first of its addresses to return to. */
  get redirectUri(): string {
    return this.information.redirect_uris[0] ?? "";
  }

  /** Asks for authorization. */
  async ask(scope = "email", state = "the state"): Promise<AuthorizationRequest> {
    const { metadata, information: clientInformation, redirectUri: redirectUrl } = this;
    const { authorizationUrl: address, codeVerifier } = await startAuthorization(this.issuer, {
      metadata,
      clientInformation,
      redirectUrl,
      scope,
      state,
    });
    return { address, codeVerifier };
  }

  /** Asks for authorization as a browser would, up to the consent page. */
  async begin(scope?: string, state?: string): Promise<Begun> {
    const { address, codeVerifier } = await this.ask(scope, state);
    const location = await redirectOf(address);
    return { authorizationId: location.searchParams.get("authorization_id") ?? "", codeVerifier };
  }

  exchange(authorizationCode: string, codeVerifier: string): Promise<OAuthTokens> {
    const { metadata, information: clientInformation, redirectUri } = this;
    return exchangeAuthorization(this.issuer, {
      metadata,
      clientInformation,
      authorizationCode,
      codeVerifier,
      redirectUri,
    });
  }

  refresh(refreshToken: string): Promise<OAuthTokens> {
    const { metadata, information: clientInformation } = this;
    return refreshAuthorization(this.issuer, { metadata, clientInformation, refreshToken });
  }

  /** The whole flow, the person approving unless they did before. */
  async connect(person: GoTrueClient, scope = "email"): Promise<OAuthTokens> {
    const { authorizationId, codeVerifier } = await this.begin(scope);
    const redirect = await decide(person, authorizationId);
    return this.exchange(redirect.searchParams.get("code") ?? "", codeVerifier);
  }
}

/** Looks at a request and approves it; returns where the browser is sent. */
export async function decide(person: GoTrueClient, authorizationId: string): Promise<URL> {
  const details = await person.oauth.getAuthorizationDetails(authorizationId);
  if (details.error) throw details.error;
  if ("redirect_url" in details.data) return new URL(details.data.redirect_url);
  const consent = await person.oauth.approveAuthorization(authorizationId);
  if (consent.error) throw consent.error;
  return new URL(consent.data.redirect_url);
}

/** Where a request is redirected to. */
export async function redirectOf(address: string | URL, init: RequestInit = {}): Promise<URL> {
  const response = await fetch(address, { redirect: "manual", ...init });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${response.status} ${await response.text()}`);
  return new URL(location, address);
}
