/** What a model reads once about the server; kept short, as every conversation pays for it. */
export const INSTRUCTIONS = [
  "The user's food journal: what they ate, daily totals, goals and weights.",
  'To log, write food_text as one item per line with name and amount ("2 eggs", "250 ml milk"); commas do not split items. Put brand, preparation and other context into detailed_description. Leave date out for today in the user\'s timezone.',
  "Log only what the user says they ate, once. If a call fails, repeat it unchanged: the same call is done once.",
  "Item ids change with writes: read list_food_entries again before you use one.",
  "Errors are JSON with error, message and, for limits, retry_after_seconds: do what the message says.",
  "Deleting all data, clearing the history or closing the account is not possible here; direct the user to support.",
].join("\n");
