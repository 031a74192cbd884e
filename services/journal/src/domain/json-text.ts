/**
 * Builds a JSON object from members whose values are already JSON text, in the given order;
 * undefined members are omitted. Numbers formatted by the database keep their digits this way.
 */
export function jsonObject(members: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return `{${parts.join(",")}}`;
}

/** Prepends the "duplicate" member to the stored result of a write. */
export function withDuplicate(resultJson: string, duplicate: boolean): string {
  return `{"duplicate":${duplicate},${resultJson.slice(1)}`;
}
