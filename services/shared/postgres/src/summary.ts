const OPERATION = /\b(select|insert|update|delete|merge|begin|commit|rollback|copy)\b/i;
const TARGET = /\b(?:into|from|join|update)\s+(?:only\s+)?"?([a-z_][a-z0-9_.]*)"?/gi;
const COMMON_TABLE = /\b([a-z_][a-z0-9_]*)\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/gi;

/**
 * Operation and table of a statement, from its text without values: `insert usage_events`. For a
 * statement with several parts, the first one that names a table.
 */
export function summaryOf(text: string): string {
  const operation = OPERATION.exec(text)?.[1]?.toLowerCase() ?? "statement";
  const ofItself = new Set([...text.matchAll(COMMON_TABLE)].map(([, name]) => name));
  const target = [...text.matchAll(TARGET)]
    .map(([, name]) => name)
    .find((name) => !ofItself.has(name));
  return target === undefined ? operation : `${operation} ${target}`;
}
