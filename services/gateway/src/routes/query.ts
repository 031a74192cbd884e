import type { z } from "zod";

import type { JsonSchema } from "../schemas/json-schema.ts";
import { schemaOf } from "../schemas/json-schema.ts";
import { HttpRefusal } from "../http/refusal.ts";

const INTEGER = /^-?\d{1,9}$/;

/**
 * Returns a function that parses a URL's query by `shape`. It ignores unknown parameters, and throws the
 * refusal `invalid_query_parameter`, which names the parameter and its allowed values.
 */
export function queryParser<Shape extends z.ZodObject>(
  shape: Shape,
): (url: string) => z.output<Shape> {
  const properties = schemaOf(shape)["properties"] as Readonly<Record<string, JsonSchema>>;
  const parameters = Object.entries(properties).map(([name, { type }]) => ({
    name,
    isInteger: type === "integer",
  }));
  return (url) => {
    const result = shape.safeParse(valuesOf(url, parameters));
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const name = String(issue?.path[0]);
    throw invalid(`The query parameter "${name}" must be ${issue?.message}.`);
  };
}

interface QueryParameter {
  readonly name: string;
  /** Whether digits stand for a number; other values stay text. */
  readonly isInteger: boolean;
}

function valuesOf(
  url: string,
  parameters: readonly QueryParameter[],
): Record<string, string | number> {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const query = new URLSearchParams(url.slice(start + 1));
  const values: Record<string, string | number> = {};
  for (const { name, isInteger } of parameters) {
    const [value, ...others] = query.getAll(name);
    if (others.length > 0) throw invalid(`The query parameter "${name}" must be given only once.`);
    if (value === undefined) continue;
    values[name] = isInteger && INTEGER.test(value) ? Number(value) : value;
  }
  return values;
}

function invalid(message: string): HttpRefusal {
  return new HttpRefusal("invalid_query_parameter", message);
}
