import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

import { moduleLogger } from "@nutrition/core/logger";
import { EdgeRequest } from "@nutrition/telemetry/tracing/edge";
import { z } from "zod";

import { parseEnvironment, port, secretText } from "../src/config.ts";
import { runService } from "../src/lifecycle.ts";

const environment = z.object({
  EXAMPLE_PORT: port,
  EXAMPLE_SECRET: secretText,
  /** Whether its start has a prerequisite, which is available when the parent process says so. */
  EXAMPLE_NEEDS: z.stringbool().default(false),
  /** Whether it starts and stops only when its parent process says so. */
  EXAMPLE_WAITS: z.stringbool().default(false),
});

/** A service in a separate process. It is ready once it has answered one request. */
await runService({
  name: "example",
  readConfig: (env) => parseEnvironment(environment, env),
  waitFor: async ({ EXAMPLE_NEEDS }, { signal }) => {
    if (EXAMPLE_NEEDS) await once(process, "message", { signal });
  },
  start: async ({ EXAMPLE_PORT, EXAMPLE_WAITS }, { logger }) => {
    if (EXAMPLE_PORT === 1) throw new Error("port 1 is reserved");
    if (EXAMPLE_WAITS) await once(process, "message");
    moduleLogger(logger, "outbox").debug({}, "looking");
    const request = { method: "GET", requestClass: "other", traceparent: undefined } as const;
    new EdgeRequest(request).end({ route: "/example", status: 200 });
    const keepAlive = setInterval(() => {}, 1_000);
    return {
      address: `127.0.0.1:${EXAMPLE_PORT}`,
      details: () => ({ database: [{ condition: "disk_full" }] }),
      async [Symbol.asyncDispose]() {
        clearInterval(keepAlive);
        await (EXAMPLE_WAITS ? once(process, "message") : setTimeout(20));
      },
    };
  },
});
