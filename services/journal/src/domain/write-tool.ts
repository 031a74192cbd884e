/** The tools that change the journal, by the names that assistants call them by. */
export type WriteTool = "log_food" | "edit_food_item" | "merge_food_items" | "delete_food_item";
