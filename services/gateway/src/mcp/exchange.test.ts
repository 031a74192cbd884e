import fc from "fast-check";
import { expect, it } from "vitest";

import { readExchange } from "./exchange.ts";
import { ProtocolFault, isObject } from "./protocol.ts";

const version = fc.constantFrom(undefined, "2026-07-28", "2025-11-25", "2025-03-26", "x");

it("reads any JSON value as an exchange or a protocol fault, and never throws otherwise", () => {
  const members = fc.record(
    {
      jsonrpc: fc.constant("2.0"),
      id: fc.jsonValue(),
      method: fc.oneof(fc.constantFrom("initialize", "tools/call", "server/discover"), fc.string()),
      params: fc.jsonValue(),
      result: fc.jsonValue(),
    },
    { requiredKeys: ["jsonrpc"] },
  );
  const body = fc.oneof(fc.jsonValue(), members, fc.array(members, { maxLength: 25 }));
  fc.assert(
    fc.property(body, version, (value, stated) => {
      try {
        const headers = { version: stated, method: undefined, name: undefined };
        const { messages, isBatch } = readExchange(value, headers);
        expect(isBatch).toBe(Array.isArray(value));
        expect(messages).toHaveLength(Array.isArray(value) ? value.length : 1);
        expect(messages.length === 1 || Array.isArray(value)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolFault);
      }
    }),
  );
});

it("never treats a handshake-free request that says it is modern as one of the older era", () => {
  fc.assert(
    fc.property(fc.string(), version, (method, stated) => {
      const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
      const body = { jsonrpc: "2.0", id: 1, method, params: { _meta: meta } };
      try {
        const headers = { version: stated, method, name: undefined };
        expect(readExchange(body, headers).era).toBe("modern");
      } catch (error) {
        expect(isObject(error) && error instanceof ProtocolFault).toBe(true);
      }
    }),
  );
});
