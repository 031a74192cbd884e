/** What a model reads once about the server; kept short, as every conversation pays for it. */
export const INSTRUCTIONS = [
  "The user's food journal: what they ate, daily totals, goals and weights.",
  'To log, write food_text as one item per line, each with name and amount ("2 eggs", "250 ml milk"); commas do not split items. Put brand, preparation and other context into detailed_description. Leave date out for today in the user\'s timezone.',
  'Every line is read alone. For "the same as yesterday" read that day (list_food_entries) and log its lines; for "actually it was two" correct the line (edit_food_item), do not log another.',
  "Log only what the user says they ate, once. A call takes up to 12 lines and counts as one write, so log a meal in one call. If a call fails, repeat it unchanged: it is done once.",
  "Before you use an item id, read it again if anything was logged, edited, merged or deleted since (list_food_entries).",
  "Errors are JSON with error and message; limits also tell retry_after_seconds. Do what the message says, and do not retry what it refuses.",
  "Nothing here wipes data: to clear a day or the history, or to close the account, direct the user to the support of whoever runs this service.",
].join("\n");
