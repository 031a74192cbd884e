import { REST_READS, TOOL_OPERATIONS } from "@nutrition/gateway/operations/operations";
import { componentName } from "@nutrition/gateway/schemas/json-schema";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { z } from "zod";

import type { System } from "../e2e/system.ts";

/** The schemas of responses and tool results that the gateway declares. */
const DOCUMENTS = new Map(REST_READS.map(({ output }) => [componentName(output), output]));
const RESULTS = new Map(TOOL_OPERATIONS.map(({ name, output }) => [name, output]));

/** Checks documents against every schema that the running system publishes. */
export interface Shapes {
  /** Checks against our schema and, for REST, against the schema in openapi.json. */
  expectDocument(name: string, document: unknown): void;
  /** Checks against our schema and the tool's output schema. */
  expectResult(tool: string, structured: unknown): void;
}

interface ListedTool {
  name: string;
  outputSchema: object;
}

/** Reads the published schemas; `key` must see all tools. */
export async function readShapes(system: System, key: string): Promise<Shapes> {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const openapi = (await system.get("/openapi.json")).body as {
    components: { schemas: Record<string, object> };
  };
  ajv.addSchema(openapi, "openapi");
  const tools = await listTools(system, key);
  for (const { name, outputSchema } of tools) ajv.addSchema(outputSchema, name);
  const expectValid = (reference: string, document: unknown) => {
    expect(ajv.validate(reference, document), ajv.errorsText()).toBe(true);
  };
  return {
    expectDocument(name, document) {
      expectUnchanged(DOCUMENTS.get(name), document);
      expectValid(`openapi#/components/schemas/${name}`, document);
    },
    expectResult(tool, structured) {
      expectUnchanged(RESULTS.get(tool), structured);
      expectValid(tool, structured);
    },
  };
}

/** Parsing drops unknown members, so these show as a difference. */
function expectUnchanged(shape: z.ZodType | undefined, document: unknown): void {
  expect(shape?.parse(document)).toEqual(document);
}

async function listTools(system: System, key: string): Promise<ListedTool[]> {
  const { body } = await system.fetch("/mcp", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  return (body as { result: { tools: ListedTool[] } }).result.tools;
}
