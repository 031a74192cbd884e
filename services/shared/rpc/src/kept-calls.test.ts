import { keptBytes } from "@nutrition/core/testing-heap";
import { silentLogger } from "@nutrition/core/logger";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { expect, it } from "vitest";

import { BatchingTransport } from "./batching-transport.ts";
import { createClient } from "./client.ts";
import { bind, startRpcServer } from "./server.ts";
import { testIdentity } from "./testing.ts";

const TEXT = "x".repeat(20_000);

it("keeps neither requests nor replies once a call is answered", async () => {
  const identity = await testIdentity();
  await using server = await startRpcServer({
    host: "127.0.0.1",
    port: 0,
    identity: identity.verifier("limits"),
    logger: silentLogger,
    services: [
      bind(
        LimitsService,
        {
          count: async ({ requestId }, { signal }) => {
            signal.addEventListener("abort", () => void requestId);
            return { receipt: requestId };
          },
        },
        { count: { callers: ["gateway"], user: "none" } },
      ),
    ],
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
