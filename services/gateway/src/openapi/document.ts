import type { z } from "zod";

import { componentSchemasOf, schemaOf } from "../schemas/json-schema.ts";
import { LEAK_REPORT_PATH } from "../routes/leak-report.ts";
import { ErrorResponse } from "../schemas/error.ts";
import { entriesInput, noInput, summaryInput, weightsInput } from "../schemas/inputs.ts";
import * as nutrition from "../schemas/nutrition.ts";
import * as profile from "../schemas/profile.ts";
import { WeightEntry, WeightHistoryResponse } from "../schemas/weight.ts";
import { EXAMPLES } from "./examples.ts";
import { describeLeakReport } from "./leak-report-operation.ts";
import { errorReferences, errorResponses, headers, headersOf } from "./responses.ts";
import { securitySchemes } from "./security-schemes.ts";

const SCHEMAS = {
  ...nutrition,
  ...profile,
  WeightEntry,
  WeightHistoryResponse,
  ErrorResponse,
};

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
        "Reads a user's food journal, goals, profile and weights. Writes are made with the tools of POST /mcp only.",
    },
    servers: [{ url: baseUrl }],
    security: [
      { bearerKey: [] },
      { headerKey: [] },
      ...(authUrl === undefined ? [] : [{ oauth: ["openid", "email", "profile"] }]),
    ],
    paths: describePaths(),
    components: {
      schemas: componentSchemasOf(SCHEMAS),
      responses: errorResponses(),
      headers,
      securitySchemes: securitySchemes(baseUrl, authUrl),
    },
  };
}

/** The operations that read, by path. */
export function readsOf({ paths }: Pick<OpenApiDocument, "paths">): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, { get }]) => (get ? [[path, get]] : []));
}

function describePaths(): Record<string, PathItem> {
  return {
    "/api/v1/me": read({
      operationId: "getProfile",
      summary: "Profile, goals and settings",
      description:
        "Profile, nutrition goals, water settings, timezone and health profile of the authenticated user.",
      input: noInput,
      output: "ProfileResponse",
      example: EXAMPLES.profile,
    }),
    "/api/v1/nutrition/summary": read({
      operationId: "getNutritionSummary",
      summary: "Totals of one day",
      description: "Totals, goals and entries of one day.",
      input: summaryInput,
      output: "NutritionSummaryResponse",
      example: EXAMPLES.summary,
    }),
    "/api/v1/food-entries": read({
      operationId: "listFoodEntries",
      summary: "Journal entries",
      description: "Recent journal entries with item-level nutrition, newest date first.",
      input: entriesInput,
      output: "FoodEntriesResponse",
      example: EXAMPLES.entries,
    }),
    "/api/v1/weight-history": read({
      operationId: "listWeightHistory",
      summary: "Weights",
      description: "The most recent weights, newest first.",
      input: weightsInput,
      output: "WeightHistoryResponse",
      example: EXAMPLES.weights,
    }),
    "/mcp": { post: toolEndpoint() },
    [LEAK_REPORT_PATH]: { post: describeLeakReport() },
  };
}

interface ReadDescription {
  operationId: string;
  summary: string;
  description: string;
  input: z.ZodObject;
  output: keyof typeof SCHEMAS;
  example: object;
}

const ERROR_STATUSES = [401, 403, 405, 429, 500, 503];

/** Describes the HTTP level only; the messages follow the Model Context Protocol. */
function toolEndpoint() {
  const message = { "application/json": { schema: { type: ["object", "array"] } } };
  return {
    operationId: "callTool",
    summary: "Tools for assistants",
    description: "Takes JSON-RPC messages of the Model Context Protocol and answers with JSON.",
    requestBody: { required: true, content: message },
    responses: {
      200: { description: "The answers.", headers: headersOf(200), content: message },
      202: { description: "Accepted; there is no response body.", headers: headersOf(200) },
      ...errorReferences([400, 401, 403, 405, 413, 429, 500, 503]),
    },
  };
}

function read(described: ReadDescription): { get: Operation } {
  const { operationId, summary, description, input, output, example } = described;
  const parameters = parametersOf(input);
  const statuses = parameters.length > 0 ? [400, ...ERROR_STATUSES] : ERROR_STATUSES;
  const schema = { $ref: `#/components/schemas/${output}` };
  const ok = {
    description,
    headers: headersOf(200),
    content: { "application/json": { schema, example } },
  };
  const responses = { 200: ok, ...errorReferences(statuses) };
  return { get: { operationId, summary, description, parameters, responses } };
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
