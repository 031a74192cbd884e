import type { z } from "zod";

import type { JsonSchema } from "../../schemas/json-schema.ts";
import { schemaOf } from "../../schemas/json-schema.ts";
import { isObject } from "../protocol.ts";

// Models read these schemas in every conversation, so they are kept small.

/** The schema of a tool's inputs, without patterns that repeat a format. */
export function inputSchemaOf(shape: z.ZodType): JsonSchema {
  const { properties, ...rest } = schemaOf(shape);
  return { ...rest, properties: mapMembers(properties as JsonSchema, withoutDoubledPattern) };
}

/**
 * The schema of a read's result, which accepts every value that `shape` accepts. Kept small: below the top
 * level, it lists scalars only by name in `required`, turns objects with uniform members into records, and
 * omits descriptions and formats. Writes "or null" as `anyOf`, because some hosts cannot read a list of
 * types.
 */
export function readSchemaOf(shape: z.ZodType): JsonSchema {
  return withMembers(shape, compact);
}

/** The schema of a write's result. Its parts appear in the reads' schemas, so only their type is given. */
export function writeSchemaOf(shape: z.ZodType): JsonSchema {
  return withMembers(shape, kindOf);
}

function withMembers(shape: z.ZodType, change: (member: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, ...top } = schemaOf(shape);
  return { ...withoutTexts(top), properties: mapMembers(properties as JsonSchema, change) };
}

function mapMembers(
  members: JsonSchema,
  change: (member: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  const changed = Object.entries(members).map(([name, member]) => [
    name,
    change(member as JsonSchema),
  ]);
  return Object.fromEntries(changed) as Record<string, JsonSchema>;
}

function withoutDoubledPattern(member: JsonSchema): JsonSchema {
  const { pattern: _, ...rest } = member;
  return "format" in member ? rest : member;
}

function kindOf(node: JsonSchema): JsonSchema {
  const { type, items } = node;
  if (Array.isArray(type)) return orNull(kindOf({ ...node, type: type[0] as unknown }));
  return items === undefined ? { type } : { type, items: kindOf(items as JsonSchema) };
}

function compact(node: JsonSchema): JsonSchema {
  const { type, properties, items, required, ...rest } = withoutTexts(node);
  if (Array.isArray(type)) return orNull(compact({ ...node, type: type[0] as unknown }));
  if (items !== undefined) return { type, ...rest, items: compact(items as JsonSchema) };
  if (!isObject(properties)) return { type, ...rest };
  const members = mapMembers(properties, compact);
  if (areAlike(members)) return { type, ...rest, ...recordOf(members) };
  const structured = Object.entries(members).filter(([name]) => isStructured(properties[name]));
  return {
    type,
    ...rest,
    ...(structured.length > 0 && { properties: Object.fromEntries(structured) }),
    required,
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

function withoutTexts(node: JsonSchema): JsonSchema {
  const kept = Object.entries(node).filter(([key]) => !TEXTS.has(key));
  return Object.fromEntries(kept);
}

const TEXTS: ReadonlySet<string> = new Set(["description", "format", "pattern"]);

function areAlike(members: Readonly<Record<string, JsonSchema>>): boolean {
  const [first, ...others] = Object.values(members).map((member) => JSON.stringify(member));
  return others.length > 0 && others.every((member) => member === first);
}

/** Omits the type of members that may all be null. */
function recordOf(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const [member = {}] = Object.values(members);
  return "anyOf" in member ? {} : { additionalProperties: member };
}

function isStructured(member: unknown): boolean {
  return isObject(member) && ("properties" in member || "items" in member);
}
