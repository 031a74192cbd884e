/** Paths of the chapters, for links between them. */
export const DOCS = {
  start: "/docs",
  rest: "/docs/rest",
  recipes: "/docs/recipes",
  assistants: "/docs/mcp",
  limits: "/docs/limits",
  changelog: "/docs/changelog",
} as const;
