/** Locale of browsers that send no language. */
const DEFAULT_LOCALE = "en-GB";
const TAGS_MAX = 8;
/** What browsers send has a tenth of that. */
const HEADER_CHARACTERS_MAX = 256;
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i;

/**
 * The locale for formats, such as `de-DE`: the browser's most preferred one in `Accept-Language` that `Intl`
 * supports. The text of the pages is always English.
 */
export function preferredLocale(header: string): string {
  const parts = header.slice(0, HEADER_CHARACTERS_MAX).split(",", TAGS_MAX);
  const asked = parts.map((part) => {
    const [tag = "", weight = "q=1"] = part.split(";").map((piece) => piece.trim());
    return { tag, weight: Number(weight.replace("q=", "")) };
  });
  const tags = asked
    .filter(({ tag, weight }) => TAG.test(tag) && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
  const [known = DEFAULT_LOCALE] = Intl.NumberFormat.supportedLocalesOf(tags);
  const { language, region } = new Intl.Locale(known).maximize();
  return `${language}-${region}`;
}

/** The English locale of the same region, such as `en-DE`: English words in the region's date order. */
export function englishIn(locale: string): string {
  return `en-${new Intl.Locale(locale).region}`;
}
