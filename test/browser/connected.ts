import type { OAuthTokens } from "@modelcontextprotocol/client";

import { Assistant } from "../../services/identity/test/assistant.ts";
import type { Answer, System } from "../e2e/system.ts";
import type { Permission, Person } from "./person.ts";

/** An address on a reserved site; `Person` answers its requests. */
export const REDIRECT_URI = "https://assistant.example/callback";

/** The authorization server that the system's metadata names. */
export async function issuerOf(system: System): Promise<string> {
  const { body } = await system.get("/.well-known/oauth-protected-resource/mcp");
  const { authorization_servers: servers } = body as { authorization_servers: string[] };
  return servers[0] ?? "";
}

/** Address of the development identity provider's inbox, from the launcher's output. */
export function inboxOf({ output }: System): string {
  const [url] = /http:\S+\/inbox/.exec(output) ?? [];
  if (url === undefined) throw new Error(`The launcher named no inbox:\n${output}`);
  return url;
}

/** The metadata of a new client. */
export async function register(
  system: System,
  name: string,
  redirectUri = REDIRECT_URI,
): Promise<Assistant> {
  const metadata = { client_name: name, redirect_uris: [redirectUri] };
  return Assistant.register(await issuerOf(system), metadata);
}

/** Connects the client for a signed-in person. */
export async function connect(
  person: Person,
  client: Assistant,
  permission: Permission,
): Promise<OAuthTokens> {
  const { address, codeVerifier } = await client.ask();
  await person.page.goto(address.href);
  const back = await person.allow(permission, client.redirectUri);
  return client.exchange(back.searchParams.get("code") ?? "", codeVerifier);
}

/** One request to the tool endpoint, as any HTTP client can make it. */
export function askForTools(system: System, token: string): Promise<Answer> {
  return system.fetch("/mcp", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
}
