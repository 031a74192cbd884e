/** JSON text in pieces that are sent one after the other, so that documents need not be copied; bytes are UTF-8. */
export type JsonPieces = readonly (Uint8Array | string)[];

/** The pieces as one text. */
export function textOf(pieces: JsonPieces): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : decode(piece))).join("");
}

function decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
