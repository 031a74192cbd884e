const HOUR = String.raw`(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`;
const PART_OF_DAY = String.raw`(?:[ap]\.? ?m\b\.?|o['’]? ?clock\b|uhr\b)`;
const MONTH =
  "(?:january|february|march|april|may|june|july|august|september|october|november|december)";
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const SPAN = "(?:seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)";
/** What follows an hour, and never an amount. */
const NO_FOOD =
  "(?=\\s*(?:$|[,.;!?)]|(?:and|with|then|i|we|for|in|this|on|today|yesterday|tonight|because|but|or so|ish|while)\\b))";

const TIMES = new RegExp(
  [
    String.raw`\d{1,2}:\d{2}\s*${PART_OF_DAY}?`,
    String.raw`\b\d{1,2}(?:\.\d{2})?\s*${PART_OF_DAY}`,
    String.raw`\b(?:half past|(?:a )?quarter (?:past|to)|(?:five|ten|twenty) (?:past|to)) ${HOUR}\b`,
    // "Almonds, around 8" are eight.
    String.raw`(?<![,;:(]\s{0,3})\b(?:at|around|by|before|after|until|till|since|past) ${HOUR}\b(?![.,]\d)${NO_FOOD}`,
    String.raw`\b\d{4}-\d{2}-\d{2}\b`,
    String.raw`\b\d{1,2}/\d{1,2}/\d{2,4}\b`,
    String.raw`\b(?:on )?(?:the )?${DAY} (?:of )?${MONTH}\b(?:,? \d{4}\b)?`,
    String.raw`\b(?:on )?${MONTH} (?:the )?${DAY}\b(?:,? \d{4}\b)?`,
    String.raw`\b(?:for|in|within|after|about)? ?(?:${HOUR}|\d{3}|half an|an?|a few|a couple of)[ -]${SPAN}\b(?:[ -](?:later|ago|before|old|long))?`,
  ].join("|"),
  "giu",
);
/** Before a time that has been taken out. */
const BEFORE = /\b(?:at|around|about|by|before|after|until|till|since|from|~) *$/iu;

/** A line without clock times, dates and how long something took: none of their numbers is an amount. */
export function withoutTimes(line: string): string {
  const parts = line.split(TIMES).map((part, at, all) => {
    return at < all.length - 1 ? part.replace(BEFORE, "") : part;
  });
  return parts.join(" ");
}
