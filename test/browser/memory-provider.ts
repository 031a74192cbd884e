import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/**
 * What an application provides to the official client's OAuth: storage, here in memory, and opening
 * the person's browser.
 */
export class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  /** The addresses that the client asked to open. */
  readonly opened: URL[] = [];
  #information: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;

  constructor(name: string, redirectUrl: string) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name: name, redirect_uris: [redirectUrl] };
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#information;
  }

  saveClientInformation(information: StoredOAuthClientInformation): void {
    this.#information = information;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(address: URL): void {
    this.opened.push(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }
}
