// The registry of tools that change the journal. Kinds of mutations, calls on behalf of the user,
// access rules, objectives and the pages' history derive from this table; CONTRIBUTING.md lists the
// places that are written by hand.

/**
 * The tools by the names that assistants call them by: the journal's method, the kind of mutation
 * that the limits service counts, and the verb phrase of the day's history ("… logged").
 */
export const WRITE_TOOLS = {
  log_food: { method: "logFood", kind: "log", did: "logged" },
  edit_food_item: { method: "editFoodItem", kind: "edit", did: "corrected a line" },
  merge_food_items: { method: "mergeFoodItems", kind: "merge", did: "merged lines into one" },
  delete_food_item: { method: "deleteFoodItem", kind: "delete", did: "deleted" },
} as const;

export type WriteTool = keyof typeof WRITE_TOOLS;
export type MutationKind = (typeof WRITE_TOOLS)[WriteTool]["kind"];

/** Every kind of mutation, once. */
export const MUTATION_KINDS: readonly MutationKind[] = [
  ...new Set(Object.values(WRITE_TOOLS).map(({ kind }) => kind)),
];

/** The name of a kind of mutation in messages, such as `LOG`. */
export function mutationKindName<Kind extends MutationKind>(kind: Kind): Uppercase<Kind> {
  return kind.toUpperCase() as Uppercase<Kind>;
}
