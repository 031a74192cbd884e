import { expect } from "vitest";

import { Batcher } from "../src/decisions/batcher.ts";
import type { Decision } from "../src/domain/decision.ts";
import type { LimitRequest } from "../src/domain/usage.ts";
import { keyRequest } from "./load.ts";

/** A batcher whose batches end when the test says so. */
export function setUpBatcher(queueMax = 4_096) {
  const batches: { limitRequests: readonly LimitRequest[]; end: PromiseWithResolvers<void> }[] = [];
  const decideMany = async (limitRequests: readonly LimitRequest[]): Promise<Decision[]> => {
    const end = Promise.withResolvers<void>();
    batches.push({ limitRequests, end });
    await end.promise;
    return limitRequests.map((limitRequest) => ({
      allowed: true,
      atUs: Number(limitRequest.requestId),
      policies: [],
    }));
  };
  const batcher = new Batcher(decideMany, queueMax);
  const ask = (number: number, { key = 0, signal }: { key?: number; signal?: AbortSignal } = {}) =>
    batcher.decide({ ...keyRequest(`key-${key}`), requestId: String(number) }, signal);
  const begun = (count: number) => expect.poll(() => batches.length).toBe(count);
  const sizes = () => batches.map(({ limitRequests }) => limitRequests.length);
  return { batcher, batches, ask, begun, sizes };
}
