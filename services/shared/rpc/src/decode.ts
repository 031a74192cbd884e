import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { fromBinary } from "@bufbuild/protobuf";
import { Failure } from "@nutrition/core/failure";

/** Decodes a caller's message. Throws `invalid_argument` when it is invalid. */
export function decode<Input extends DescMessage>(
  input: Input,
  bytes: Uint8Array,
): MessageShape<Input> {
  try {
    return fromBinary(input, bytes);
  } catch (cause) {
    throw new Failure(
      "invalid_argument",
      "MALFORMED_REQUEST",
      "The request could not be decoded.",
      {
        cause,
      },
    );
  }
}
