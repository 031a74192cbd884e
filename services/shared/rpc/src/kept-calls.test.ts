import { keptBytes } from "@nutrition/core/testing-heap";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { expect, it } from "vitest";

import { BatchingTransport } from "./batching-transport.ts";
import { createClient } from "./client.ts";
import { startLimits, testIdentity } from "./testing.ts";

const TEXT = "x".repeat(20_000);

it("keeps neither requests nor replies once a call is answered", async () => {
  const identity = await testIdentity();
  await using server = await startLimits(identity, {
    count: async ({ requestId }, { signal }) => {
      signal.addEventListener("abort", () => void requestId);
      return { receipt: requestId };
    },
  });
  const transport = new BatchingTransport({
    address: server.address,
    issuer: identity.issuer("gateway"),
  });
  const limits = createClient(LimitsService, transport);
  const call = { requestId: TEXT };
  const kept = await keptBytes(() => limits.count(call, { timeoutMs: 10_000 }));
  transport.close();
  expect(kept).toBeLessThan(TEXT.length);
});
