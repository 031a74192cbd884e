const REFUSED = /^q=0(?:\.0{0,3})?$/;

/**
 * Whether a client takes gzip (RFC 9110 §12.5.3): named, or meant by `*`, and not refused by a
 * weight of 0. Without the header it takes what is not compressed.
 */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()));
  const named =
    codings.find(([name]) => name === "gzip" || name === "x-gzip") ??
    codings.find(([name]) => name === "*");
  return named !== undefined && !REFUSED.test(named[1] ?? "");
}
