import { OAUTH_SCOPES } from "../access/challenge.ts";
import type { StaticDocument } from "./static-documents.ts";

const ROOT = "/.well-known/oauth-protected-resource";

/** Paths of the metadata. */
export const PROTECTED_RESOURCE_PATHS = [ROOT, `${ROOT}/mcp`];

/**
 * Protected-resource metadata (RFC 9728) at the root and at the path of the tool endpoint. The
 * resource is always the tool endpoint, as clients compare it with the address a person typed.
 */
export function protectedResourceDocuments(
  baseUrl: string,
  authUrl: string | undefined,
): StaticDocument[] {
  const body = JSON.stringify({
    resource: `${baseUrl}/mcp`,
    resource_name: "Nutrition Journal",
    resource_documentation: `${baseUrl}/docs`,
    // Omits the member without an identity provider: RFC 9728 §2 forbids an empty array.
    ...(authUrl !== undefined && { authorization_servers: [authUrl] }),
    scopes_supported: OAUTH_SCOPES,
    bearer_methods_supported: ["header"],
  });
  return PROTECTED_RESOURCE_PATHS.map((path) => ({ path, type: "application/json", body }));
}
