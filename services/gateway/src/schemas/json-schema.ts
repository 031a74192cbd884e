import { z } from "zod";

/** A JSON Schema (2020-12) document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Converts one shape to a schema without references. */
export function schemaOf(shape: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: "input" });
  return tidy(schema) as JsonSchema;
}

/** Converts one shape to a schema that refers to the components among its parts. */
export function referringSchemaOf(shape: z.ZodType): JsonSchema {
  const {
    $schema: _,
    $defs: _d,
    ...schema
  } = z.toJSONSchema(shape, {
    io: "input",
    metadata: components,
  });
  return tidy(schema) as JsonSchema;
}

const components = z.registry<{ id: string }>();

/** Gives a shape a name, under which the OpenAPI document describes and refers to it. */
export function component<Shape extends z.ZodType>(id: string, shape: Shape): Shape {
  components.add(shape, { id });
  return shape;
}

/** The name of a component. Throws if `shape` is not a component. */
export function componentName(shape: z.ZodType): string {
  const name = components.get(shape)?.id;
  if (name === undefined) throw new Error("The shape is no component.");
  return name;
}

/** The schemas of all components, which refer to each other, for the `components` of OpenAPI. */
export function componentSchemas(): Record<string, JsonSchema> {
  const uri = (name: string) => `#/components/schemas/${name}`;
  const { schemas } = z.toJSONSchema(components, { io: "input", uri });
  const described = Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _s, $id: _i, ...rest } = schema;
    return [name, tidy(rest) as JsonSchema];
  });
  return Object.fromEntries(described);
}

/** Removes members that mean nothing to readers, and writes "T or null" as one list of types. */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (!isObject(node)) return node;
  const entries = Object.entries(collapseNullable(node)).filter(
    ([key, value]) => !isNoise(key, value),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, tidy(value)]));
}

function isNoise(key: string, value: unknown): boolean {
  if (key === "pattern") return typeof value === "string" && value.length > PATTERN_LENGTH_MAX;
  if (key === "maximum") return value === Number.MAX_SAFE_INTEGER;
  return key === "minimum" && value === Number.MIN_SAFE_INTEGER;
}

/** Longer patterns are zod's own, and repeat what `format` states. */
const PATTERN_LENGTH_MAX = 40;

function collapseNullable(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== "null") return node;
  const { type, enum: values, ...option } = anyOf[0];
  if (typeof type !== "string") return node;
  const allowed = Array.isArray(values) ? { enum: [...values, null] } : {};
  return { ...option, ...rest, ...allowed, type: [type, "null"] };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
