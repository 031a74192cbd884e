/** The members of an object as JSON text, without the braces. */
export function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
