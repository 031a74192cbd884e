import { isLoopback } from "@nutrition/core/loopback";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** Explains how to connect assistants; `mcpUrl` is the address to enter in them. */
export function howToConnect(mcpUrl: string): Markup {
  return markup`<section class="card" aria-labelledby="how-to">
    <h2 id="how-to">Connect an assistant</h2>
    <p>Give it this address. It then opens a page of ours on which you sign in and choose what it may
      do.</p>
    <p class="copyable"><code id="mcp-url">${mcpUrl}</code>
      <button type="button" class="quiet" data-copy="mcp-url" hidden>Copy</button></p>
    ${isLoopback(mcpUrl) ? ONLY_HERE : ""}
    ${stepsFor(mcpUrl)}
  </section>`;
}

/** Claude and ChatGPT call from their own servers, even for their desktop apps. */
const ONLY_HERE = markup`<p class="notice" role="note">This address works only on this computer. Claude
  Code, Cursor, VS Code and the Inspector can use it. Claude and ChatGPT need a public https address: the
  README says how a tunnel gives you one.</p>`;

// Uses the names of settings on the assistants' own pages, which change occasionally.
function stepsFor(mcpUrl: string): Markup {
  return markup`<details>
    <summary>Claude (web and desktop)</summary>
    <ol>
      <li>Open Settings, then Connectors.</li>
      <li>Choose “Add custom connector” and paste the address.</li>
      <li>Choose Connect, sign in here and choose what it may do.</li>
    </ol>
  </details>
  <details>
    <summary>Claude Code</summary>
    <ol>
      <li>Run <code>claude mcp add --transport http nutrition-journal ${mcpUrl}</code>.</li>
      <li>In Claude Code type <code>/mcp</code>, choose the server and “Authenticate”.</li>
      <li>Sign in here and choose what it may do.</li>
    </ol>
  </details>
  <details>
    <summary>ChatGPT</summary>
    <ol>
      <li>Open Settings, then Apps &amp; Connectors; custom ones need developer mode, under Advanced.</li>
      <li>Choose Create, paste the address as the MCP server and OAuth as the authentication.</li>
      <li>Sign in here and choose what it may do.</li>
    </ol>
  </details>
  <details>
    <summary>Cursor</summary>
    <ol>
      <li>Open Cursor Settings, then MCP, and add a server.</li>
      <li>Give it any name and the address as its <code>url</code>.</li>
      <li>Choose “Needs login” beside it, sign in here and choose what it may do.</li>
    </ol>
  </details>
  <details>
    <summary>VS Code</summary>
    <ol>
      <li>Run “MCP: Add Server” from the command palette and choose HTTP.</li>
      <li>Paste the address and give it any name.</li>
      <li>Allow the sign-in that it asks for, sign in here and choose what it may do.</li>
    </ol>
  </details>
  <details>
    <summary>The MCP Inspector</summary>
    <ol>
      <li>Run <code>npx @modelcontextprotocol/inspector</code>.</li>
      <li>Choose “Streamable HTTP”, paste the address and choose Connect.</li>
      <li>Sign in here and choose what it may do.</li>
    </ol>
  </details>
  <details>
    <summary>Any other</summary>
    <ol>
      <li>Look for “MCP server”, “remote MCP” or “custom connector” in its settings.</li>
      <li>Choose the transport “Streamable HTTP”, paste the address, and OAuth if it asks.</li>
      <li>If it knows no OAuth, make an <a href="/settings/keys">API key</a> and have it send the key in
        the header <code>Authorization: Bearer …</code>.</li>
    </ol>
  </details>`;
}
