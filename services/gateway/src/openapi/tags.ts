/** Groups of operations; generators of clients make a class of each. */
export const TAGS = { journal: "Journal", assistants: "Assistants", keys: "Keys" } as const;
