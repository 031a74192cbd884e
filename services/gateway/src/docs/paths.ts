/** Where the chapters are, which link to each other. */
export const DOCS = {
  start: "/docs",
  rest: "/docs/rest",
  recipes: "/docs/recipes",
  assistants: "/docs/mcp",
  limits: "/docs/limits",
  changelog: "/docs/changelog",
} as const;
