import { CallScope } from "@nutrition/rpc/call-scope";
import { expect, test } from "vitest";

import { AdmittedRequest } from "./admitted-request.ts";
import type { AccountingServices, AuthenticatedRequest } from "./admitted-request.ts";

test("sends the count before the read, which takes less time", async () => {
  const sent: string[] = [];
  const accounting = {
    counter: {
      count: async () => {
        sent.push("count");
        return "receipt";
      },
    },
  } as unknown as AccountingServices;
  const request = { calls: new CallScope(), authenticated: {} } as AuthenticatedRequest;
  const admitted = new AdmittedRequest(accounting, request);
  const document = await admitted.countWhile(async () => {
    sent.push("read");
    return "document";
  });
  expect({ sent, document }).toEqual({ sent: ["count", "read"], document: "document" });
});
