/**
 * A JSON object of members whose values are JSON text already, in the order given. Figures made by
 * the database keep their digits this way; undefined members are left out.
 */
export function jsonObject(members: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return `{${parts.join(",")}}`;
}

/** The stored result of a write with its "duplicate" member put first. */
export function withDuplicate(resultJson: string, duplicate: boolean): string {
  return `{"duplicate":${duplicate},${resultJson.slice(1)}`;
}
