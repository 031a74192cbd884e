import { createHash } from "node:crypto";

import type { StaticDocument } from "../routes/static-documents.ts";
import { createOpenApiDocument } from "./document.ts";
import { readPolicyLimits } from "./policy-limits.ts";
import { renderReference } from "./reference-page.ts";
import { REFERENCE_STYLE } from "./reference-style.ts";
import type { ToolDescription } from "./reference-tools.ts";

export interface ReferenceOptions {
  baseUrl: string;
  authUrl: string | undefined;
  tools: readonly ToolDescription[];
  /** File of the limits service's policies. */
  policyFile: string;
}

/** `/openapi.json`, and the page `/docs` generated from it. */
export function referenceDocuments(options: ReferenceOptions): StaticDocument[] {
  const { baseUrl, authUrl, tools, policyFile } = options;
  const document = createOpenApiDocument(baseUrl, authUrl);
  return [
    { path: "/openapi.json", type: "application/json", body: JSON.stringify(document) },
    {
      path: "/docs",
      type: "text/html; charset=utf-8",
      body: renderReference(document, { tools, limits: readPolicyLimits(policyFile) }),
      headers: { "Content-Security-Policy": contentSecurityPolicy() },
    },
  ];
}

/** Allows only the style of the reference, by its hash. */
export function contentSecurityPolicy(): string {
  const digest = createHash("sha256").update(REFERENCE_STYLE).digest("base64");
  return `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}
