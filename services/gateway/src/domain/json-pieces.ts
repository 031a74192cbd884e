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

/** Joins adjacent texts, because sending each piece takes some microseconds. */
export function joinTexts(pieces: JsonPieces): JsonPieces {
  const joined: (Uint8Array | string)[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "string" && typeof last === "string")
      joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}
