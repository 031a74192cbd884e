import type { UserIdentity } from "@nutrition/rpc/context";
import type { z } from "zod";

import type { JsonSchema } from "../../schemas/json-schema.ts";
import type { Params } from "../protocol.ts";
import { ToolError } from "../tool-error.ts";
import { inputSchemaOf, readSchemaOf, writeSchemaOf } from "./tool-schema.ts";

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
  /** What of a document goes into the reply to `given`; all of it when absent. */
  readonly fit?: (document: never, given: Params) => object;
  /** The result in words, for people and for hosts without structured content. */
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
  const { name, title, description, annotations, input, output } = specification;
  const isWrite = !annotations.readOnlyHint;
  return {
    name,
    isWrite,
    definition: {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(input),
      outputSchema: isWrite ? writeSchemaOf(output) : readSchemaOf(output),
      annotations,
    },
    async call(args, call) {
      const given = withoutNulls(args);
      const bytes = await specification.run(parseArguments(name, input, given), call);
      return resultOf(specification, bytes, given);
    },
  };
}

function resultOf(
  { fit, tell }: Pick<ToolSpecification<z.ZodObject>, "fit" | "tell">,
  bytes: Uint8Array,
  given: Params,
): ToolResult {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const document: unknown = JSON.parse(text);
  const fitting = fit?.(document as never, given) ?? document;
  const structured = fitting === document ? text : JSON.stringify(fitting);
  return { structured, text: tell(fitting as never) };
}

function parseArguments<Input extends z.ZodObject>(
  tool: string,
  shape: Input,
  given: Params,
): z.output<Input> {
  const result = shape.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") throw unknownInput(tool, issue.keys, shape);
  const field = String(issue?.path[0]);
  const value = given[field];
  throw new ToolError("invalid_input", `"${field}" takes ${issue?.message}.`, {
    field,
    given: shown(value),
  });
}

const GIVEN_SHOWN_MAX = 100;

/** What was given, in short; a nested value may be too deep to be written out. */
function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== "object") return JSON.stringify(value).slice(0, GIVEN_SHOWN_MAX);
  return Array.isArray(value) ? "a list" : "an object";
}

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
