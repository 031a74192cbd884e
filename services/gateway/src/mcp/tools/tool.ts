import type { Tool as ListedTool, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";

import type { Writer } from "../../clients/journal-client.ts";
import type { JsonSchema } from "../../schemas/json-schema.ts";
import type { Params } from "../protocol.ts";
import type { Site } from "../site.ts";
import { parseArguments } from "./arguments.ts";
import { inputSchemaOf, readSchemaOf, writeSchemaOf } from "./tool-schema.ts";

/** A tool as it is written down. */
export interface ToolSpecification<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** All four hints are given: what is left out is taken for the worst. */
  readonly annotations: Required<Omit<ToolAnnotations, "title">>;
  /** Messages complete `"<name>" must be`. */
  readonly input: Input;
  readonly output: z.ZodType;
  /** The result document as JSON bytes. Rejects with a `ToolError` or a `Failure`. */
  readonly run: (input: z.output<Input>, call: ToolCall) => Promise<Uint8Array>;
  /** The result in words, for people and for hosts without structured content. */
  readonly tell: (
    document: never,
    about: { input: z.output<Input>; site: Site },
  ) => string | PartialReply;
}

/** Who calls, and the installation that is called. */
export interface ToolCall extends Writer {
  readonly site: Site;
}

/** A reply with other than all of the document that was read. */
export interface PartialReply {
  readonly document: object;
  readonly text: string;
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

/** The protocol's own, with everything that a model may go by. */
export interface ToolDefinition extends Omit<ListedTool, "inputSchema" | "outputSchema"> {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
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
  const { name, title, description, annotations, output, run, tell } = specification;
  const input = specification.input.strict();
  const inputSchema = inputSchemaOf(input);
  const isWrite = !annotations.readOnlyHint;
  return {
    name,
    isWrite,
    definition: {
      name,
      title,
      description,
      inputSchema,
      outputSchema: isWrite ? writeSchemaOf(output) : readSchemaOf(output),
      annotations,
    },
    async call(args, call) {
      const parsed = parseArguments({ name, input, inputSchema }, args) as z.output<Input>;
      const json = textOf(await run(parsed, call));
      const told = tell(JSON.parse(json) as never, { input: parsed, site: call.site });
      if (typeof told === "string") return { structured: json, text: told };
      return { structured: JSON.stringify(told.document), text: told.text };
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
