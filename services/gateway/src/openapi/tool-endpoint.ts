import { BATCH_MAX } from "../mcp/exchange.ts";
import { FAULT } from "../mcp/protocol.ts";
import { ErrorResponse } from "../schemas/error.ts";
import { componentName } from "../schemas/json-schema.ts";
import { OTHER_RESPONSE, errorReferences, headersOf } from "./responses.ts";
import { TAGS } from "./tags.ts";

const VERSION = { type: "string", const: "2.0" };
const ID = { type: ["string", "integer", "null"] };

/** Messages of JSON-RPC 2.0, the base of the Model Context Protocol. */
export const JSON_RPC_SCHEMAS = {
  JsonRpcMessage: {
    type: "object",
    description: "A request, or without an id a notification.",
    required: ["jsonrpc", "method"],
    properties: {
      jsonrpc: VERSION,
      id: { type: ["string", "integer"] },
      method: { type: "string", description: "Such as tools/list or tools/call." },
      params: { type: "object" },
    },
  },
  JsonRpcResult: {
    type: "object",
    description: "The answer of a request. A tool that refuses is a result with isError.",
    required: ["jsonrpc", "id", "result"],
    properties: { jsonrpc: VERSION, id: ID, result: { type: "object" } },
  },
  JsonRpcError: {
    type: "object",
    description: "A breach of the protocol.",
    required: ["jsonrpc", "id", "error"],
    properties: {
      jsonrpc: VERSION,
      id: ID,
      error: {
        type: "object",
        required: ["code", "message"],
        properties: {
          code: { type: "integer", enum: Object.values(FAULT) },
          message: { type: "string" },
          data: {},
        },
      },
    },
  },
};

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = { anyOf: [schema("JsonRpcResult"), schema("JsonRpcError")] };
const error = schema("JsonRpcError");
const fault = (code: number, message: string) => ({
  value: { jsonrpc: "2.0", id: 1, error: { code, message } },
});

/** Describes the HTTP level; `tools/list` describes the tools. */
export function describeToolEndpoint() {
  const example = { jsonrpc: "2.0", id: 1, method: "tools/call", params: LOG_FOOD };
  const body = { anyOf: [schema("JsonRpcMessage"), batchOf(schema("JsonRpcMessage"))] };
  return {
    operationId: "callTool",
    tags: [TAGS.assistants],
    summary: "Tools for assistants",
    description: `Takes a JSON-RPC message of the Model Context Protocol, or in revision 2025-03-26 a batch of up to ${BATCH_MAX}, and answers with JSON. Refusals of the credential have an ErrorResponse; breaches of the protocol are JSON-RPC errors.`,
    parameters: [
      {
        name: "MCP-Protocol-Version",
        in: "header",
        required: false,
        description: "Revision that the client speaks, such as 2026-07-28.",
        schema: { type: "string" },
      },
    ],
    requestBody: { required: true, content: { "application/json": { schema: body, example } } },
    responses: {
      200: {
        description: "The answer, or of a batch the answers of its requests.",
        headers: headersOf(200),
        content: {
          "application/json": {
            schema: { anyOf: [answer, batchOf(answer)] },
            examples: {
              result: { value: { jsonrpc: "2.0", id: 1, result: { content: [] } } },
              error: fault(FAULT.invalidParams, "Unknown tool: eat"),
            },
          },
        },
      },
      202: { description: "Accepted; there is no response body.", headers: headersOf(202) },
      ...errorReferences([401, 403, 405, 413, 429, 500, 503]),
      400: {
        description: "The body is not JSON, is no message, or contradicts the headers.",
        headers: headersOf(400),
        content: {
          "application/json": {
            schema: { anyOf: [error, schema(componentName(ErrorResponse))] },
            examples: { parse_error: fault(FAULT.parseError, "Parse error") },
          },
        },
      },
      404: {
        description: "Revision 2026-07-28: there is no such method.",
        headers: headersOf(404),
        content: {
          "application/json": {
            schema: error,
            examples: { method_not_found: fault(FAULT.methodNotFound, "Method not found") },
          },
        },
      },
      ...OTHER_RESPONSE,
    },
  };
}

const LOG_FOOD = { name: "log_food", arguments: { food_text: "2 scrambled eggs" } };

function batchOf(items: object) {
  return { type: "array", minItems: 1, maxItems: BATCH_MAX, items };
}
