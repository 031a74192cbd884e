import { create, toBinary } from "@bufbuild/protobuf";
import { ExchangeResponseSchema } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";
import fc from "fast-check";
import { expect, it } from "vitest";

import { encodeReplies } from "./reply-frame.ts";

it("writes what the general encoder writes", () => {
  const reply = fc.record({
    id: fc.integer({ min: 0, max: 0xffff_ffff }),
    code: fc.integer({ min: 0, max: 16 }),
    body: fc.oneof(fc.uint8Array(), fc.uint8Array({ minLength: 16_000, maxLength: 17_000 })),
  });
  fc.assert(
    fc.property(fc.array(reply, { maxLength: 5 }), (replies) => {
      const general = toBinary(ExchangeResponseSchema, create(ExchangeResponseSchema, { replies }));
      expect(encodeReplies(replies).equals(general)).toBe(true);
    }),
  );
});
