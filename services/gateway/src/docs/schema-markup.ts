import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { JsonSchema } from "../schemas/json-schema.ts";
import { DOCS } from "./paths.ts";
import { code, table } from "./table.ts";

/** Describes the type of a value in words, with links to named schemas. */
export function typeOf(schema: JsonSchema): Markup {
  if (typeof schema["$ref"] === "string") {
    const name = nameOf(schema);
    return markup`<a href="${DOCS.rest}#shape-${name}">${name}</a>`;
  }
  if (Array.isArray(schema["anyOf"])) return joined(schema["anyOf"].map(typeOf));
  if (schema["type"] === "array") {
    return markup`array of ${typeOf(schema["items"] as JsonSchema)}${boundsOf(schema)}`;
  }
  return markup`${[schema["type"]].flat().join(" or ")}${detailsOf(schema)}`;
}

/** The members of an object. The notes of optional members begin with `optional`. */
export function membersTable(schema: JsonSchema, optional: string): Markup {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
  const required = (schema["required"] ?? []) as readonly string[];
  const rows = Object.entries(properties).map(([key, property]) => [
    code(key),
    typeOf(property),
    `${required.includes(key) ? "" : optional}${String(property["description"] ?? "")}`,
  ]);
  return table(["Field", "Type", "Notes"], rows);
}

function boundsOf({ minItems, maxItems }: JsonSchema): string {
  return maxItems === undefined ? "" : ` (${String(minItems)} to ${String(maxItems)})`;
}

function detailsOf(schema: JsonSchema): string {
  const { format, minimum, maximum, maxLength, default: fallback, enum: values } = schema;
  const details = [
    format,
    minimum !== undefined && maximum !== undefined && `${String(minimum)} to ${String(maximum)}`,
    maxLength !== undefined && `at most ${String(maxLength)} characters`,
    fallback !== undefined && `default ${String(fallback)}`,
    Array.isArray(values) && values.map(String).join(", "),
  ].filter((detail) => typeof detail === "string");
  return details.length > 0 ? ` (${details.join("; ")})` : "";
}

function joined(options: readonly Markup[]): Markup {
  return { html: options.map((option) => option.html).join(" or ") };
}

/** Name of the schema to which `schema` refers. */
export function nameOf(schema: JsonSchema): string {
  return String(schema["$ref"]).split("/").at(-1) ?? "";
}
