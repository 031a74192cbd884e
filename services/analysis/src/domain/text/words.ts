/** The words of a text as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
