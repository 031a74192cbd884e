import type { z } from "zod";

import { HttpRefusal } from "../http/refusal.ts";

/** Numeric parameters; all others stay text. */
const INTEGER_PARAMETERS: ReadonlySet<string> = new Set(["limit"]);
const INTEGER = /^-?\d{1,9}$/;

/**
 * Parses the query of `url` by `shape`; unknown parameters are ignored. Throws the refusal
 * `invalid_query_parameter`, which names the parameter and its allowed values.
 */
export function parseQuery<Shape extends z.ZodObject>(url: string, shape: Shape): z.output<Shape> {
  const result = shape.safeParse(valuesOf(url, Object.keys(shape.shape)));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  throw invalid(`The query parameter "${name}" must be ${issue?.message}.`);
}

function valuesOf(url: string, names: readonly string[]): Record<string, string | number> {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const parameters = new URLSearchParams(url.slice(start + 1));
  const values: Record<string, string | number> = {};
  for (const name of names) {
    const [value, ...others] = parameters.getAll(name);
    if (others.length > 0) throw invalid(`The query parameter "${name}" must be given only once.`);
    if (value === undefined) continue;
    const isInteger = INTEGER_PARAMETERS.has(name) && INTEGER.test(value);
    values[name] = isInteger ? Number(value) : value;
  }
  return values;
}

function invalid(message: string): HttpRefusal {
  return new HttpRefusal("invalid_query_parameter", message);
}
