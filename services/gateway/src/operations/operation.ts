import type { z } from "zod";

import type { AuthClient } from "../clients/auth-client.ts";
import type {
  JournalClient,
  JournalDocument,
  Reader,
  WriteOutcome,
  Writer,
} from "../clients/journal-client.ts";
import type { Site } from "../domain/site.ts";

/** The services that operations call. */
export interface Services {
  readonly auth: Pick<AuthClient, "getProfile">;
  readonly journal: JournalClient;
}

/** An operation of the public interface, for REST clients, assistants or both. */
export interface Operation {
  readonly rest?: RestRead;
  readonly tool?: ToolOperation;
}

/** The shapes of a read's input and output, and the call between them. */
interface Read<Input extends z.ZodObject, Output extends z.ZodType> {
  /** Messages complete `<name> must be`. */
  readonly input: Input;
  readonly output: Output;
  /** The document, which `output` accepts. Rejects with a `Failure`. */
  fetch(services: Services, reader: Reader, input: z.output<Input>): Promise<JournalDocument>;
}

/** A read as REST clients see it. `output` is a component (see `component`). */
export interface RestRead<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> extends Read<Input, Output> {
  /** Below `/api/v1`, such as `/me`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** A response for the reference; a test validates it against `output`. */
  readonly example: z.output<Output>;
}

/** The cards of `services/cards`. */
export type CardName = "logged" | "change" | "day" | "days" | "goals" | "weight";

/** A tool's texts for models and people. */
interface ToolTexts<Input extends z.ZodObject, Output extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** What the tool does, in a phrase for README's table. */
  readonly summary: string;
  /** When to use the tool, when not, and what it returns. */
  readonly description: string;
  /** A call for the documentation; tests validate it, and make it in a running system. */
  readonly example: { readonly input: z.input<Input>; readonly output: z.output<Output> };
  /** Card that hosts with MCP Apps show for the result; without one, they show the text. */
  readonly card?: CardName;
  /** The result in words, for people and for hosts without structured content. */
  readonly format:
    | DocumentFormat<z.output<Input>, z.output<Output>>["format"]
    /** From the document's JSON to a JSON string, for long documents that are often read. */
    | { readonly json: (document: Buffer, site: Site) => Buffer };
}

/** A method, so that tools of different inputs and outputs are all `ToolOperation`s. */
interface DocumentFormat<Input, Output> {
  format(document: Output, about: { input: Input; site: Site }): string | PartialReply;
}

/** A reply with a part of the document that was read. */
export interface PartialReply {
  readonly document: object;
  readonly text: string;
}

/** A tool that reads. */
export interface ReadTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
>
  extends Read<Input, Output>, ToolTexts<Input, Output> {
  readonly kind: "read";
}

/** Error codes of particular writing tools; every other code may come from any tool or any write. */
export type WriteError =
  | "ambiguous_item"
  | "analysis_failed"
  | "item_changed"
  | "item_not_found"
  | "limit_exceeded"
  | "not_same_entry";

/** A tool that changes the journal. */
export interface WriteTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> extends ToolTexts<Input, Output> {
  readonly kind: "write";
  /** Whether the tool changes or removes existing data, rather than only adding to it. */
  readonly isDestructive: boolean;
  readonly errors: readonly WriteError[];
  /** Messages complete `"<name>" must be`. */
  readonly input: Input;
  readonly output: Output;
  /** Rejects with a `Failure`. */
  write(services: Services, writer: Writer, input: z.output<Input>): Promise<WriteOutcome>;
}

export type ToolOperation = ReadTool | WriteTool;

/** Defines a read for REST and, with `tool`, for assistants. */
export function defineRead<Input extends z.ZodObject, Output extends z.ZodType>({
  rest,
  tool,
  ...read
}: Read<Input, Output> & {
  rest: Omit<RestRead<Input, Output>, keyof Read<Input, Output>>;
  tool?: ToolTexts<Input, Output>;
}): Operation {
  return { rest: { ...read, ...rest }, ...(tool && { tool: readTool({ ...read, ...tool }) }) };
}

/** Defines a reading tool that differs from its REST operation, or has none. */
export function readTool<Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Omit<ReadTool<Input, Output>, "kind">,
): ToolOperation {
  return { kind: "read", ...tool };
}

/** Defines a tool that changes the journal. */
export function defineWrite<Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Omit<WriteTool<Input, Output>, "kind">,
): Operation {
  return { tool: { kind: "write", ...tool } };
}
