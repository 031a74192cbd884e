import { parseAst } from "vitest/node";

/** Stands for what an import computes when it runs, so that nobody can say what it leads to. */
export const COMPUTED = "(computed)";

const DECLARATIONS = new Set([
  "ImportDeclaration",
  "ExportAllDeclaration",
  "ExportNamedDeclaration",
  "ImportExpression",
  "TSImportType",
  "TSExternalModuleReference",
]);
/** Calls that lead to a module by its first argument. */
const CALLS = /^(require|(import\.meta|require)\.resolve|vi\.(do)?(un)?mock|vi\.import\w+)$/;
const MODULE = /\.m?[jt]s$/;

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Everything that a module refers to another by: imports and re-exports, of types too, `import()` of
 * values and types, `require`, `import.meta.resolve`, and URLs of modules beside it.
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
  // The address of a module is a way to run it, as a worker or a process.
  const isModule = first.type === "Literal" && MODULE.test(String(first["value"]));
  return node.type === "NewExpression" && name === "URL" && isModule ? textOf(first) : undefined;
}

function textOf(node: Node): string {
  return node.type === "Literal" ? String(node["value"]) : COMPUTED;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
