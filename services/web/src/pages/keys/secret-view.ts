import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { describeScopes } from "../../domain/keys.ts";
import { keyName } from "./key-card.ts";

/** Shows a key's text, which no other page does, and how to use it. */
export function secretView(
  { apiKey, key, remark }: { apiKey: string; key: Key; remark: Markup },
  baseUrl: string,
): Markup {
  const curl = `curl -H "Authorization: Bearer ${apiKey}" \\\n  "${baseUrl}/api/v1/nutrition/summary"`;
  return markup`<h1>Your new key</h1>
    <p class="warning" role="status"><strong>Copy it now: it is not shown again.</strong> We keep
      only a fingerprint of it. If you lose it, revoke it and create another.</p>
    ${remark}
    <section class="card" aria-labelledby="the-key">
      <h2 id="the-key">${keyName(key)} <span class="tag">${describeScopes(key.scopes)}</span></h2>
      ${copyable("key-text", "Copy the key", apiKey)}
    </section>
    <section class="card" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <p class="soft">This asks for today's summary.</p>
      ${copyable("curl-text", "Copy the command", curl)}
    </section>
    <section class="card" aria-labelledby="mcp">
      <h2 id="mcp">Use it in an MCP client</h2>
      <p class="soft">Put this into the client's configuration.</p>
      ${copyable("mcp-text", "Copy the configuration", mcpConfiguration(apiKey, baseUrl))}
    </section>
    <p><a class="button" href="/settings/keys">I have stored the key</a></p>`;
}

function copyable(id: string, label: string, text: string): Markup {
  return markup`<pre id="${id}">${text}</pre>
    <button type="button" class="quiet" data-copy="${id}" hidden>${label}</button>`;
}

function mcpConfiguration(apiKey: string, baseUrl: string): string {
  const server = {
    type: "http",
    url: `${baseUrl}/mcp`,
    headers: { Authorization: `Bearer ${apiKey}` },
  };
  return JSON.stringify({ mcpServers: { "nutrition-journal": server } }, null, 2);
}
