import type { z } from "zod";

import type { JsonSchema } from "../../schemas/json-schema.ts";
import type { Params } from "../protocol.ts";
import { ToolError } from "../tool-error.ts";
import { likelyInput } from "./likely-input.ts";

/** A tool's inputs. */
interface Shape {
  /** Name of the tool. */
  readonly name: string;
  readonly input: z.ZodObject;
  readonly inputSchema: JsonSchema;
}

/**
 * Parses the arguments of a call leniently: treats null and empty texts as absent, and accepts a number, a
 * boolean or a list as text. Throws a `ToolError` that names the first invalid input.
 */
export function parseArguments({ name, input, inputSchema }: Shape, args: Params): unknown {
  const properties = inputSchema["properties"] as Readonly<Record<string, JsonSchema>>;
  const given: Record<string, unknown> = {};
  let isUnknownGiven = false;
  for (const key of Object.keys(args)) {
    const value = args[key];
    // Drops names of object prototype members, as some parsers do; no tool has such an input.
    if (value === null || value === "" || key === "__proto__") continue;
    const isKnown = Object.hasOwn(properties, key);
    // The error names the first; validating thousands would cost as much as hundreds of calls.
    if (!isKnown && isUnknownGiven) continue;
    isUnknownGiven ||= !isKnown;
    given[key] = read(value, isKnown ? properties[key] : undefined);
  }
  const result = input.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") throw unknownInput(name, issue.keys, properties);
  const field = String(issue?.path[0]);
  throw new ToolError("invalid_input", `"${field}" must be ${issue?.message}.`, {
    field,
    given: shown(args[field]),
  });
}

/** Converts a text to the type of the schema if possible; validation reports any other text. */
function read(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  switch (schema?.["type"]) {
    case "integer":
      return /^\d{1,9}$/.test(text) ? Number(text) : value;
    case "boolean":
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : value;
    case "array":
      return listOf(text) ?? value;
    default:
      return value;
  }
}

function listOf(text: string): unknown[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const SHOWN_MAX = 100;

/** The given value, abbreviated. A deeply nested value cannot be serialized. */
function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value).slice(0, SHOWN_MAX);
  }
  return Array.isArray(value) ? "a list" : "an object";
}

function unknownInput(
  tool: string,
  [key]: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
): ToolError {
  const field = String(key).slice(0, SHOWN_MAX);
  const names = Object.keys(properties);
  const likely = likelyInput(field, names);
  const takes = names.length === 0 ? "It has none" : `It takes ${names.join(", ")}`;
  const meant = likely === undefined ? "" : ` You probably mean ${likely}.`;
  return new ToolError("invalid_input", `${tool} has no input "${field}". ${takes}.${meant}`, {
    field,
    ...(likely !== undefined && { did_you_mean: likely }),
  });
}
