import type { z } from "zod";

import { componentName, componentSchemas, schemaOf } from "../schemas/json-schema.ts";
import { LEAK_REPORT_PATH } from "../routes/leak-report.ts";
import { REST_BASE } from "../routes/rest-routes.ts";
import type { RestRead } from "../operations/operation.ts";
import { REST_READS } from "../operations/operations.ts";
import { describeLeakReport } from "./leak-report-operation.ts";
import {
  OTHER_RESPONSE,
  errorReferences,
  errorResponses,
  headers,
  headersOf,
} from "./responses.ts";
import { TAGS } from "./tags.ts";
import { securitySchemes } from "./security-schemes.ts";
import { JSON_RPC_SCHEMAS, describeToolEndpoint } from "./tool-endpoint.ts";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** An operation: one method of one path. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface PathItem {
  readonly get?: Operation;
  readonly post?: object;
}

export type OpenApiDocument = ReturnType<typeof createOpenApiDocument>;

/** Builds the OpenAPI 3.1 description of the REST interface. */
export function createOpenApiDocument(baseUrl: string, authUrl: string | undefined) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Nutrition Journal",
      version: "1.0.0",
      description:
        "Reads a user's food journal, goals, profile and weights. Writes are made with the tools of POST /mcp only. Every GET also takes HEAD.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: TAGS.journal, description: "Reads of the journal, for scripts and dashboards." },
      { name: TAGS.assistants, description: "The tool endpoint (Model Context Protocol)." },
      { name: TAGS.keys, description: "What anybody may do about a key that leaked." },
    ],
    security: [
      { bearerKey: [] },
      { headerKey: [] },
      ...(authUrl === undefined ? [] : [{ oauth: ["openid", "email", "profile"] }]),
    ],
    paths: describePaths(),
    components: {
      schemas: { ...componentSchemas(), ...JSON_RPC_SCHEMAS },
      responses: errorResponses(),
      headers,
      securitySchemes: securitySchemes(baseUrl, authUrl),
    },
  };
}

/** The reading operations, by path. */
export function readsOf({ paths }: Pick<OpenApiDocument, "paths">): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, { get }]) => (get ? [[path, get]] : []));
}

function describePaths(): Record<string, PathItem> {
  return {
    ...Object.fromEntries(REST_READS.map((read) => [REST_BASE + read.path, describeRead(read)])),
    "/mcp": { post: describeToolEndpoint() },
    [LEAK_REPORT_PATH]: { post: describeLeakReport() },
  };
}

const ERROR_STATUSES = [401, 403, 405, 429, 500, 503];

function describeRead(read: RestRead): PathItem {
  const { operationId, summary, description, input, output, example } = read;
  const parameters = parametersOf(input);
  const statuses = parameters.length > 0 ? [400, ...ERROR_STATUSES] : ERROR_STATUSES;
  const schema = { $ref: `#/components/schemas/${componentName(output)}` };
  const ok = {
    description,
    headers: headersOf(200),
    content: { "application/json": { schema, example } },
  };
  const responses = { 200: ok, ...errorReferences(statuses), ...OTHER_RESPONSE };
  const tags = [TAGS.journal];
  return { get: { operationId, tags, summary, description, parameters, responses } };
}

function parametersOf(input: z.ZodObject): Parameter[] {
  const properties = schemaOf(input)["properties"] as Record<string, Record<string, unknown>>;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: false,
    description: String(description),
    schema,
  }));
}
