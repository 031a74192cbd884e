import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CallSchema,
  CredentialKind,
  ExchangeRequestSchema,
} from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";
import fc from "fast-check";
import { expect, it } from "vitest";

import { CALLS_PER_FRAME_MAX, decodeCalls, encodeCalls } from "./call-frame.ts";

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ minLength: 200, maxLength: 300 }),
);
const user = fc.record({
  accountId: text,
  credentialKind: fc.constantFrom(0, 1, 2, 3),
  credentialId: text,
  scopes: fc.array(text, { maxLength: 3 }),
});
const call = fc.record({
  id: uint32,
  method: text,
  request: fc.uint8Array({ maxLength: 300 }),
  timeoutMs: uint32,
  user: fc.option(user, { nil: undefined }),
  userAssertion: text,
  onwardAssertion: text,
  traceparent: text,
});
const frame = fc.record({
  calls: fc.array(call, { maxLength: 5 }),
  cancelled: fc.array(uint32, { maxLength: 5 }),
});

it("writes what the general decoder reads, and reads what the general encoder writes", () => {
  fc.assert(
    fc.property(frame, ({ calls, cancelled }) => {
      const general = create(ExchangeRequestSchema, {
        calls: calls.map(({ user, ...rest }) =>
          create(CallSchema, user ? { ...rest, user } : rest),
        ),
        cancelled,
      });
      const written = Uint8Array.from(encodeCalls({ calls, cancelled }));
      expect(fromBinary(ExchangeRequestSchema, written)).toEqual(general);
      expect(decodeCalls(toBinary(ExchangeRequestSchema, general))).toEqual({ calls, cancelled });
    }),
  );
});

it("skips fields that a later version may have added", () => {
  const added = [0x78, 0x01, 0x7a, 0x02, 0x41, 0x42];
  const [one] = fc.sample(call, { numRuns: 1, seed: 7 });
  const frame = encodeCalls({ calls: [one!], cancelled: [7] });
  expect(decodeCalls(Uint8Array.from([...added, ...frame, ...added]))).toEqual({
    calls: [one],
    cancelled: [7],
  });
});

it("reads any bytes as a frame or an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        expect(Object.keys(decodeCalls(bytes))).toEqual(["calls", "cancelled"]);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
  );
});

it("refuses a small frame that expands to too many calls, cancellations or scopes", () => {
  const calls = new Uint8Array((CALLS_PER_FRAME_MAX + 1) * 2);
  for (let at = 0; at < calls.length; at += 2) calls[at] = (2 << 3) | 2;
  expect(() => decodeCalls(calls)).toThrow(RangeError);
  const cancelled = Array.from({ length: CALLS_PER_FRAME_MAX + 1 }, () => 1);
  expect(() => decodeCalls(encodeCalls({ calls: [], cancelled }))).toThrow(RangeError);
  const [one] = fc.sample(call, { numRuns: 1 });
  const scopes = Array.from({ length: 17 }, () => "a");
  const greedy = {
    ...one!,
    user: { accountId: "a", credentialKind: CredentialKind.API_KEY, credentialId: "b", scopes },
  };
  expect(() => decodeCalls(encodeCalls({ calls: [greedy], cancelled: [] }))).toThrow(RangeError);
});
