/** Formats of visitors that tell no language. */
const DEFAULT_LOCALE = "en-GB";
const TAGS_MAX = 8;
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i;

/**
 * The locale whose formats a browser asks for in `Accept-Language`, such as `de-DE`: the first
 * preferred one that numbers can be written in. Only formats follow it; the pages are in English.
 */
export function preferredLocale(header: string): string {
  const asked = header.split(",", TAGS_MAX).map((part) => {
    const [tag = "", weight = "q=1"] = part.trim().split(/\s*;\s*/);
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

/** English words in the order that is usual in the locale's region, such as `en-DE`. */
export function englishIn(locale: string): string {
  return `en-${new Intl.Locale(locale).region}`;
}
