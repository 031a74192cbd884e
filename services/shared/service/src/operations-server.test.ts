import { expect, it } from "vitest";

import { OperationsServer } from "./operations-server.ts";

it("tells at /readyz what the service says about itself, from when it is ready until it stops", async () => {
  await using operations = await OperationsServer.start({ host: "127.0.0.1", port: 0 });
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${operations.port}/readyz`);
    const text = await response.text();
    return [response.status, response.ok ? JSON.parse(text) : text];
  };
  expect(await ask()).toEqual([503, "not ready\n"]);
  operations.setReady(() => ({ warnings: ["A proxy."] }));
  expect(await ask()).toEqual([200, { status: "ready", warnings: ["A proxy."] }]);
  operations.setStopping();
  expect(await ask()).toEqual([503, "not ready\n"]);
});
