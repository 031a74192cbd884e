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

/** A client's authorization request: the address to open in a browser, and its secret. */
export interface AuthorizationRequest {
  address: URL;
  codeVerifier: string;
}

/** A client's request that has reached the consent page. */
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

  /** Registers a new client, public by default. */
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

  /** The first of its redirect addresses. */
  get redirectUri(): string {
    return this.information.redirect_uris[0] ?? "";
  }

  /** Requests authorization. */
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

  /** Requests authorization as a browser would, up to the consent page. */
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

  /** Runs the whole flow; the person approves unless they already have. */
  async connect(person: GoTrueClient, scope = "email"): Promise<OAuthTokens> {
    const { authorizationId, codeVerifier } = await this.begin(scope);
    const redirect = await decide(person, authorizationId);
    return this.exchange(redirect.searchParams.get("code") ?? "", codeVerifier);
  }
}

/** Reads a request and approves it; returns the browser's redirect. */
export async function decide(person: GoTrueClient, authorizationId: string): Promise<URL> {
  const details = await person.oauth.getAuthorizationDetails(authorizationId);
  if (details.error) throw details.error;
  if ("redirect_url" in details.data) return new URL(details.data.redirect_url);
  const consent = await person.oauth.approveAuthorization(authorizationId);
  if (consent.error) throw consent.error;
  return new URL(consent.data.redirect_url);
}

/** The redirect of a request. */
export async function redirectOf(address: string | URL, init: RequestInit = {}): Promise<URL> {
  const response = await fetch(address, { redirect: "manual", ...init });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${response.status} ${await response.text()}`);
  return new URL(location, address);
}
