import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { fromBinary } from "@bufbuild/protobuf";
import { Failure } from "@nutrition/core/failure";

/** The message that a caller sent. Throws `invalid_argument` when it is not one. */
export function decode<Input extends DescMessage>(
  input: Input,
  bytes: Uint8Array,
): MessageShape<Input> {
  try {
    return fromBinary(input, bytes);
  } catch (cause) {
    throw new Failure("invalid_argument", "MALFORMED_REQUEST", "The request cannot be read.", {
      cause,
    });
  }
}
