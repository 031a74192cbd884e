import type { UserIdentity } from "@nutrition/rpc/context";
import type { z } from "zod";

import type { JsonSchema } from "../../schemas/json-schema.ts";
import { compactSchemaOf, schemaOf } from "../../schemas/json-schema.ts";
import type { Params } from "../protocol.ts";
import { ToolError } from "../tool-error.ts";

/** What a model is told about side effects. All four are always given: the defaults are the worst. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface ToolCall {
  readonly user: UserIdentity;
  /** UUID of the HTTP request. */
  readonly requestId: string;
}

/** A tool as it is written down. */
export interface ToolSpecification<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Messages complete `"<name>" takes`. */
  readonly input: Input;
  readonly output: z.ZodType;
  /** The result document as JSON bytes. Rejects with a `ToolError` or a `Failure`. */
  readonly run: (input: z.output<Input>, call: ToolCall) => Promise<Uint8Array>;
  /** One or two sentences about a result document, for people and for clients without structure. */
  readonly tell: (document: never) => string;
}

/** A tool that can be listed and called. */
export interface Tool {
  readonly name: string;
  readonly isWrite: boolean;
  /** What `tools/list` says of it. */
  readonly definition: ToolDefinition;
  /** Checks the arguments and runs. Rejects with a `ToolError` or a `Failure`. */
  readonly call: (given: Params, call: ToolCall) => Promise<ToolResult>;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
}

export interface ToolResult {
  /** JSON text of the result document. */
  readonly structured: string;
  readonly text: string;
}

/** Makes a tool callable; its schemas are converted here, once. */
export function defineTool<Input extends z.ZodObject>(
  specification: ToolSpecification<Input>,
): Tool {
  const { name, title, description, annotations, input, output, run, tell } = specification;
  return {
    name,
    isWrite: !annotations.readOnlyHint,
    definition: {
      name,
      title,
      description,
      inputSchema: schemaOf(input),
      outputSchema: compactSchemaOf(output),
      annotations,
    },
    async call(given, call) {
      const bytes = await run(parseArguments(name, input, given), call);
      const structured = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
      return { structured, text: tell(JSON.parse(structured) as never) };
    },
  };
}

function parseArguments<Input extends z.ZodObject>(
  tool: string,
  shape: Input,
  given: Params,
): z.output<Input> {
  const result = shape.safeParse(withoutNulls(given));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") throw unknownInput(tool, issue.keys, shape);
  const field = String(issue?.path[0]);
  const value = given[field];
  throw new ToolError("invalid_input", `"${field}" takes ${issue?.message}.`, {
    field,
    given: value === undefined ? null : JSON.stringify(value).slice(0, GIVEN_SHOWN_MAX),
  });
}

const GIVEN_SHOWN_MAX = 100;

/** Some models send null for what they leave out. */
function withoutNulls(given: Params): Params {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function unknownInput(tool: string, [key]: readonly string[], shape: z.ZodObject): ToolError {
  const known = Object.keys(shape.shape).join(", ");
  const field = String(key).slice(0, GIVEN_SHOWN_MAX);
  return new ToolError("invalid_input", `${tool} has no input "${field}". It takes ${known}.`, {
    field,
  });
}
