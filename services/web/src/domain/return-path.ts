const HOME = "/journal";
/** Maximum characters of a path that a sign-in may return to. */
export const RETURN_PATH_MAX = 1_000;

/** Pages that a sign-in may return to. */
const PLACES = /^\/(?:journal|settings|oauth\/consent)(?:[/?]|$)/;

/**
 * Parses a return path. Anything other than one of our own pages becomes the first page, which prevents open
 * redirects.
 */
export function returnPath(text: string): string {
  const isPlain = text.length <= RETURN_PATH_MAX && /^[\x21-\x5b\x5d-\x7e]*$/.test(text);
  if (!isPlain || !PLACES.test(text)) return HOME;
  const url = URL.parse(text, "https://own.invalid");
  if (url?.origin !== "https://own.invalid" || !PLACES.test(url.pathname)) return HOME;
  return url.pathname + url.search;
}
