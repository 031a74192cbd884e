/** Copies the members that are not undefined: in a message, absent and empty differ. */
export function omitUndefined<Values extends Record<string, string | undefined>>(values: Values) {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [Name in keyof Values]?: string };
}
