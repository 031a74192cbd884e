import type { Secret } from "@nutrition/core/secret";

import { providerUnavailable } from "../provider-unavailable.ts";

export interface SupabaseApiOptions {
  /** Address of the identity provider for browsers, without a trailing slash. */
  authUrl: string;
  /** Address for calls by this service. */
  callUrl: string;
  /** Value of the header `apikey` for hosted projects. */
  apiKey: Secret | undefined;
}

export interface SupabaseRequest {
  /** The person's own access token. */
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** IP address of the visitor, for the provider's rate limits. */
  clientAddress?: string | undefined;
  /** Whether status 500 is an answer: Supabase sends it when it cannot send a mail. */
  mayAnswer500?: boolean;
}

/** A response other than a failure of the provider. */
export interface SupabaseAnswer {
  readonly status: number;
  /** Parsed JSON body; undefined without one. */
  readonly body: unknown;
  /** Error code, such as `invalid_credentials`; empty on success. */
  readonly errorCode: string;
}

/** Message for people in the body of an error; empty without one. */
export function messageOf({ body }: SupabaseAnswer): string {
  const message = (body as { message?: unknown } | null | undefined)?.message;
  return typeof message === "string" ? message : "";
}

const TIMEOUT_MS = 5_000;
const BODY_MAX_BYTES = 262_144;
/** API version whose error format is parsed here. */
const API_VERSION = "2024-01-01";

/** HTTP client for Supabase Auth, with bounds on time and size. */
export class SupabaseApi {
  readonly #options: SupabaseApiOptions;

  constructor(options: SupabaseApiOptions) {
    this.#options = options;
  }

  /** Builds an address of the provider for the browser. */
  urlOf(path: string, query: Record<string, string>): string {
    return `${this.#options.authUrl}${path}?${new URLSearchParams(query).toString()}`;
  }

  /**
   * Calls as an administrator, with a secret API key; undefined without one, or if the provider does not
   * accept it for this call. Rejects like `call`.
   */
  async callAsAdmin(
    method: "POST" | "DELETE",
    path: string,
    body?: unknown,
  ): Promise<SupabaseAnswer | undefined> {
    const token = this.#options.apiKey?.reveal();
    if (token === undefined) return undefined;
    const answer = await this.call(method, path, { token, body });
    return [401, 403].includes(answer.status) ? undefined : answer;
  }

  /** Rejects with the failure `unavailable` when the provider is down or fails. */
  async call(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    { token, body, clientAddress, mayAnswer500 = false }: SupabaseRequest = {},
  ): Promise<SupabaseAnswer> {
    const { callUrl, apiKey } = this.#options;
    const headers: Record<string, string> = {
      accept: "application/json",
      "x-supabase-api-version": API_VERSION,
    };
    if (apiKey) headers["apikey"] = apiKey.reveal();
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if (clientAddress !== undefined) headers["sb-forwarded-for"] = clientAddress;
    if (body !== undefined) headers["content-type"] = "application/json";
    try {
      const response = await fetch(callUrl + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await readText(response);
      if (response.status >= 500 && !(mayAnswer500 && response.status === 500))
        throw new Error(`It answered ${response.status}.`);
      return answerOf(response, text);
    } catch (error) {
      throw providerUnavailable(error);
    }
  }
}

function answerOf(response: Response, text: string): SupabaseAnswer {
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
