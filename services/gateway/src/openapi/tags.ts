/** Groups of operations; client generators make a class of each. */
export const TAGS = { journal: "Journal", assistants: "Assistants", keys: "Keys" } as const;
