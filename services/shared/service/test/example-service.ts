import { setTimeout } from "node:timers/promises";

import { z } from "zod";

import { parseEnvironment, port, secretText } from "../src/config.ts";
import { runService } from "../src/lifecycle.ts";

const environment = z.object({ EXAMPLE_PORT: port, EXAMPLE_SECRET: secretText });

/** A service that does nothing, to be run as a process of its own. */
await runService({
  name: "example",
  readConfig: (env) => parseEnvironment(environment, env),
  start: async ({ EXAMPLE_PORT }) => {
    if (EXAMPLE_PORT === 1) throw new Error("port 1 is not for everybody");
    const held = setInterval(() => {}, 1_000);
    return {
      address: `127.0.0.1:${EXAMPLE_PORT}`,
      async [Symbol.asyncDispose]() {
        clearInterval(held);
        await setTimeout(20);
      },
    };
  },
});
