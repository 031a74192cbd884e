import { Failure } from "@nutrition/core/failure";
import type { Secret } from "@nutrition/core/secret";

export interface ProviderApiOptions {
  /** Address of the identity provider, without a slash at the end. */
  authUrl: string;
  /** What a hosted provider wants in the header `apikey`. */
  apiKey: Secret | undefined;
}

export interface ProviderRequest {
  /** The person's own access token. */
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** An answer that is not the provider's own failure. */
export interface ProviderAnswer {
  readonly status: number;
  /** The JSON value; undefined when there is none. */
  readonly body: unknown;
  /** Such as `invalid_credentials`; empty when the answer is no error. */
  readonly errorCode: string;
}

const TIMEOUT_MS = 5_000;
const BODY_MAX_BYTES = 262_144;
/** The version of the API whose errors are read here. */
const API_VERSION = "2024-01-01";

/** HTTP calls to the identity provider (Supabase Auth), bounded in time and size. */
export class ProviderApi {
  readonly #options: ProviderApiOptions;

  constructor(options: ProviderApiOptions) {
    this.#options = options;
  }

  /** An address of the provider that a browser is sent to. */
  urlOf(path: string, query: Record<string, string>): string {
    return `${this.#options.authUrl}${path}?${new URLSearchParams(query).toString()}`;
  }

  /** Rejects with the failure `unavailable` when the provider is away or fails. */
  async call(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    { token, body }: ProviderRequest = {},
  ): Promise<ProviderAnswer> {
    const { authUrl, apiKey } = this.#options;
    const headers: Record<string, string> = {
      accept: "application/json",
      "x-supabase-api-version": API_VERSION,
    };
    if (apiKey) headers["apikey"] = apiKey.reveal();
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    try {
      const response = await fetch(authUrl + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await readText(response);
      if (response.status >= 500) throw new Error(`It answered ${response.status}.`);
      return answerOf(response, text);
    } catch (error) {
      throw providerAway(error);
    }
  }
}

/** The provider cannot be asked, or not understood. */
export function providerAway(cause: unknown): Failure {
  return new Failure(
    "unavailable",
    "IDENTITY_PROVIDER_UNAVAILABLE",
    "The sign-in service does not answer at the moment. Try again in a minute.",
    { cause },
  );
}

function answerOf(response: Response, text: string): ProviderAnswer {
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  if (response.ok) return { status: response.status, body, errorCode: "" };
  const errorCode = response.headers.get("x-sb-error-code") ?? codeIn(body) ?? "unknown";
  return { status: response.status, body, errorCode };
}

function codeIn(body: unknown): string | undefined {
  const code = (body as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BODY_MAX_BYTES) throw new Error("Its answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
