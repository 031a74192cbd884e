const REFUSED = /^q=0(?:\.0{0,3})?$/;
/** The best first. */
const CODINGS = ["br", "gzip"] as const;

export type ContentCoding = (typeof CODINGS)[number];

/**
 * The best content coding that a client takes (RFC 9110 §12.5.3): named, or meant by `*`, and not
 * refused by a weight of 0; undefined for none. Without the header, a client takes what is not
 * compressed.
 */
export function contentCodingFor(header: string | string[] | undefined): ContentCoding | undefined {
  const accepted = new Map(
    String(header ?? "")
      .toLowerCase()
      .split(",")
      .map((part) => part.split(";").map((piece) => piece.trim()))
      .map(([name = "", weight = ""]) => [name, !REFUSED.test(weight)]),
  );
  return CODINGS.find((coding) => accepted.get(coding) ?? accepted.get("*") ?? false);
}
