import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { bufferView } from "@nutrition/core/buffer-view";
import { UNIT_CHOICES } from "@nutrition/core/units";
import type { Quantity } from "@nutrition/core/units";
import type { z } from "zod";

import type { JournalDocument, Writer } from "../../clients/journal-client.ts";
import type { Site } from "../../domain/site.ts";
import type { CardName, Services, ToolOperation, WriteTool } from "../../operations/operation.ts";
import type { JsonSchema } from "../../schemas/json-schema.ts";
import type { Params } from "../protocol.ts";
import { toolErrorOfRefusal } from "../tool-error.ts";
import { parseArguments } from "./arguments.ts";
import { refuseBulkRequest } from "./broad-request.ts";
import { inputSchemaOf, readSchemaOf, writeSchemaOf } from "./tool-schema.ts";

/** The caller and the installation. */
export interface ToolCall extends Writer {
  readonly site: Site;
}

/** A tool that can be listed and called. */
export interface Tool {
  readonly name: string;
  readonly isWrite: boolean;
  readonly card: CardName | undefined;
  /** Its entry in `tools/list`. */
  readonly definition: ToolDefinition;
  /** Validates the arguments and runs. Rejects with a `ToolError` or a `Failure`. */
  readonly call: (given: Params, call: ToolCall) => Promise<ToolResult>;
}

/** The protocol's definition, with every member that a model may use. */
export interface ToolDefinition extends Omit<ListedTool, "inputSchema" | "outputSchema"> {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

/** Display units by quantity. */
export type DisplayUnits = Readonly<Partial<Record<Quantity, string>>>;

export interface ToolResult {
  /** JSON of the result document, in UTF-8 or as text. */
  readonly structured: Uint8Array | string;
  /** The same in words: JSON of one string, in UTF-8 or as text. */
  readonly text: Uint8Array | string;
  /** The person's display units of the document's quantities, unless all are the document's own. */
  readonly units?: DisplayUnits;
}

/** Makes an operation callable as a tool. Converts its schemas once. */
export function createTool(operation: ToolOperation, services: Services): Tool {
  const { name, title, description, output } = operation;
  const isWrite = operation.kind === "write";
  const input = operation.input.strict();
  const inputSchema = inputSchemaOf(input);
  return {
    name,
    isWrite,
    card: operation.card,
    definition: {
      name,
      title,
      description,
      inputSchema,
      outputSchema: isWrite ? writeSchemaOf(output) : readSchemaOf(output),
      annotations: annotationsOf(operation),
    },
    async call(args, call) {
      const parsed = parseArguments({ name, input, inputSchema }, args) as z.output<typeof input>;
      const document = await run(operation, { services, call, input: parsed });
      const about = { input: parsed, site: call.site };
      return { ...formatted(operation, document.json, about), ...unitsOf(document) };
    },
  };
}

function formatted(
  { format }: ToolOperation,
  json: Uint8Array,
  about: { input: Params; site: Site },
): Pick<ToolResult, "structured" | "text"> {
  const document = bufferView(json);
  if (typeof format !== "function") {
    return { structured: json, text: format.json(document, about.site) };
  }
  const told = format(JSON.parse(document.toString()) as unknown, about);
  if (typeof told === "string") return { structured: json, text: JSON.stringify(told) };
  return { structured: JSON.stringify(told.document), text: JSON.stringify(told.text) };
}

/** States all four hints, because clients assume the worst for missing ones. */
function annotationsOf(operation: ToolOperation) {
  const isRead = operation.kind === "read";
  return {
    readOnlyHint: isRead,
    destructiveHint: !isRead && operation.isDestructive,
    idempotentHint: isRead,
    openWorldHint: false,
  };
}

interface Invocation {
  readonly services: Services;
  readonly call: ToolCall;
  readonly input: Params;
}

function run(operation: ToolOperation, invocation: Invocation): Promise<JournalDocument> {
  if (operation.kind === "write") return write(operation, invocation);
  const { services, call, input } = invocation;
  return operation.fetch(services, call, input);
}

async function write(
  operation: WriteTool,
  { services, call, input }: Invocation,
): Promise<JournalDocument> {
  refuseBulkRequest(input, call.site);
  const outcome = await operation.write(services, call, input);
  if ("refusal" in outcome) throw toolErrorOfRefusal(outcome.refusal);
  return outcome;
}

/** Units that differ from those of documents; a journal of the previous version does not send all units. */
function unitsOf(document: JournalDocument): Pick<ToolResult, "units"> {
  let units: DisplayUnits | undefined;
  for (const [quantity, member] of UNIT_MEMBERS) {
    const unit = document[member];
    if (unit && unit !== UNIT_CHOICES[quantity][0]) units = { ...units, [quantity]: unit };
  }
  return units === undefined ? {} : { units };
}

const UNIT_MEMBERS = [
  ["energy", "energyUnit"],
  ["water", "waterUnit"],
  ["weight", "weightUnit"],
] as const;
