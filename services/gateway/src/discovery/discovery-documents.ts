import type { Site } from "../domain/site.ts";
import { serverInfoOf } from "../mcp/introduction.ts";
import { CONTENT_SECURITY_POLICY } from "../docs/page.ts";
import type { StaticDocument } from "../routes/static-documents.ts";
import type { DiscoveryOptions } from "./discovery-options.ts";
import { renderPrivacy } from "./privacy-page.ts";

const REGISTRY_SCHEMA =
  "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/** At most 100 characters, which the registry allows. */
const SUMMARY = "A food journal: log meals in plain words, see totals, goals, trends and weights.";
const TEXT = "text/plain; charset=utf-8";

/** Documents for directories, registries and models that discover the installation. */
export function discoveryDocuments(options: DiscoveryOptions): StaticDocument[] {
  const { site, openAiChallenge } = options;
  return [
    { path: "/llms.txt", type: TEXT, body: llmsText(options) },
    { path: "/server.json", type: "application/json", body: JSON.stringify(registryEntry(site)) },
    {
      path: "/privacy",
      type: "text/html; charset=utf-8",
      body: renderPrivacy(options),
      headers: { "Content-Security-Policy": CONTENT_SECURITY_POLICY },
    },
    ...(openAiChallenge === undefined
      ? []
      : [{ path: "/.well-known/openai-apps-challenge", type: TEXT, body: openAiChallenge }]),
  ];
}

/**
 * The entry for the MCP registry. Its name is the reversed host name, which only the host's owner can claim.
 */
function registryEntry(site: Site): object {
  const { title, version, websiteUrl, icons } = serverInfoOf(site);
  const namespace = new URL(site.baseUrl).hostname.split(".").toReversed().join(".");
  return {
    $schema: REGISTRY_SCHEMA,
    name: `${namespace}/nutrition-journal`,
    title,
    description: SUMMARY,
    version,
    websiteUrl,
    icons,
    remotes: [{ type: "streamable-http", url: `${site.baseUrl}/mcp` }],
  };
}

function llmsText({ site: { baseUrl, support }, privacyUrl }: DiscoveryOptions): string {
  return `# Nutrition Journal

> ${SUMMARY} Assistants use it over MCP, programs over REST.

Every request needs a credential of the person: assistants sign in with OAuth 2.1, programs send an API
key as \`Authorization: Bearer\`. Food is logged with the tools alone.

## Interfaces

- [MCP endpoint](${baseUrl}/mcp): Streamable HTTP, eight tools; an unsigned request is told where to sign in
- [Reference](${baseUrl}/docs): REST endpoints, tools, errors and limits
- [OpenAPI](${baseUrl}/openapi.json): the REST endpoints for machines

## People

- [Connect an assistant](${baseUrl}/settings/connections)
- [API keys](${baseUrl}/settings/keys)
- [Privacy](${privacyUrl ?? `${baseUrl}/privacy`})
- Support: ${support}
`;
}
