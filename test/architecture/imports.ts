import { parseAst } from "vitest/node";

/** Stands for a computed import, whose target cannot be determined. */
export const COMPUTED = "(computed)";

const DECLARATIONS = new Set([
  "ImportDeclaration",
  "ExportAllDeclaration",
  "ExportNamedDeclaration",
  "ImportExpression",
  "TSImportType",
  "TSExternalModuleReference",
]);
/** Calls whose first argument is a module. */
const CALLS = /^(require|(import\.meta|require)\.resolve|vi\.(do)?(un)?mock|vi\.import\w+)$/;
const MODULE = /\.m?[jt]s$/;

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Every reference of a module to others: imports and re-exports, including types, `import()` of
 * values and types, `require`, `import.meta.resolve`, and relative URLs of modules.
 */
export function importsIn(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isNode(value)) return;
    const specifier = specifierOf(value, text);
    if (specifier !== undefined) found.push(specifier);
    Object.values(value).forEach(visit);
  };
  visit(parseAst(text, { lang: "ts" }).body);
  return found;
}

function specifierOf(node: Node, text: string): string | undefined {
  if (DECLARATIONS.has(node.type)) {
    const source = node["source"] ?? node["expression"];
    return isNode(source) ? textOf(source) : undefined;
  }
  const [first] = Array.isArray(node["arguments"]) ? (node["arguments"] as Node[]) : [];
  const callee = node["callee"];
  if (!first || !isNode(callee)) return undefined;
  const name = text.slice(Number(callee["start"]), Number(callee["end"]));
  if (node.type === "CallExpression" && CALLS.test(name)) {
    return textOf(first);
  }
  // The address of a module can be used to run it as a worker or process.
  const isModule = first.type === "Literal" && MODULE.test(String(first["value"]));
  return node.type === "NewExpression" && name === "URL" && isModule ? textOf(first) : undefined;
}

function textOf(node: Node): string {
  return node.type === "Literal" ? String(node["value"]) : COMPUTED;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
