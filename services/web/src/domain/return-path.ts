const HOME = "/journal";
const LENGTH_MAX = 1_000;

/** Pages that a sign-in may lead to. */
const PLACES = /^\/(?:journal|settings|oauth\/consent)(?:[/?]|$)/;

/**
 * The path of one of our own pages that `text` is, or the first page: what comes from an address
 * must not send anybody elsewhere.
 */
export function returnPath(text: string): string {
  const isPlain = text.length <= LENGTH_MAX && /^[\x21-\x5b\x5d-\x7e]*$/.test(text);
  if (!isPlain || !PLACES.test(text)) return HOME;
  const url = URL.parse(text, "https://own.invalid");
  if (url?.origin !== "https://own.invalid" || !PLACES.test(url.pathname)) return HOME;
  return url.pathname + url.search;
}
