import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { CallOptions } from "@nutrition/rpc/service-definition";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Instance, Setting } from "./setup.ts";
import { callOf, createSetting, newUser, startInstance } from "./setup.ts";

type Method = keyof typeof LimitsService.method;
type Call = (request: object, options: CallOptions) => Promise<unknown>;

/**
 * Methods that only count. All others read or change data of an account, or are for the operator.
 */
const COUNTING: readonly string[] = ["count", "reserve", "commit", "release"];
const MANAGING = (Object.keys(LimitsService.method) as Method[]).filter(
  (method) => !COUNTING.includes(method),
);
const CASES = MANAGING.flatMap((method) =>
  (["api_key", "connector"] as const).flatMap((kind) =>
    (["gateway", "web", "journal"] as const).map((caller) => ({ method, kind, caller })),
  ),
);

let setting: Setting;
let instance: Instance;
beforeAll(async () => {
  setting = await createSetting();
  instance = await startInstance(setting);
});
afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await setting[Symbol.asyncDispose]();
});

test.each(CASES)(
  "$method is refused to $caller for a user with $kind",
  async ({ method, kind, caller }) => {
    const user = { ...newUser(), credentialKind: kind };
    // The journal may only pass on the gateway's assertion.
    const spoken = caller === "journal" ? { onBehalfOf: await callOf(setting, user) } : { user };
    const call = instance.as(caller)[method] as unknown as Call;
    await expect(call({}, { timeoutMs: 5_000, ...spoken })).rejects.toMatchObject({
      kind: "permission_denied",
      reason: "CALL_NOT_ALLOWED",
    });
  },
);
