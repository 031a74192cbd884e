const REFUSED = /^q=0(?:\.0{0,3})?$/;
/** Best first. */
const CODINGS = ["br", "gzip"] as const;

export type ContentCoding = (typeof CODINGS)[number];

/**
 * The best content coding that the client accepts (RFC 9110 §12.5.3): listed, or covered by `*`, with a
 * weight above 0. Undefined if there is none, or without the header.
 */
export function contentCodingFor(header: string | string[] | undefined): ContentCoding | undefined {
  if (header === undefined) return undefined;
  const accepted = new Map(
    String(header)
      .toLowerCase()
      .split(",")
      .map((part) => part.split(";").map((piece) => piece.trim()))
      .map(([name = "", weight = ""]) => [name, !REFUSED.test(weight)]),
  );
  return CODINGS.find((coding) => accepted.get(coding) ?? accepted.get("*") ?? false);
}
