import { bufferView } from "@nutrition/core/buffer-view";

/** JSON in consecutive pieces, so that sending it copies no document; bytes are UTF-8. */
export type JsonPieces = readonly (Uint8Array | string)[];

/** The pieces as one text. */
export function textOf(pieces: JsonPieces): string {
  const texts = pieces.map((piece) =>
    typeof piece === "string" ? piece : bufferView(piece).toString(),
  );
  return texts.join("");
}
