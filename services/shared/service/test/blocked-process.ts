// A process with a watchdog of small bounds. It blocks its event loop as its environment says, then exits.
import { Operation } from "@nutrition/core/operations-under-way";

import { startWatchdog } from "../src/watchdog.ts";

const { BLOCKS = "", CPU_MS = "0", GRACE_MS = "0", IS_TEXT } = process.env;
const bounds = { cpuMaxMs: 300, graceMs: Number(GRACE_MS), pauseMs: 20 };
await using resources = new AsyncDisposableStack();
resources.use(startWatchdog({ service: "example", isText: IS_TEXT === "true" }, bounds));
const finished = new Operation("example.v1.Example/Finish");
finished.begin();
finished.end();
const begun = new Operation("example.v1.Example/Read");
begun.begin();
// Until the thread runs and the loop has turned.
const { promise, resolve } = Promise.withResolvers<void>();
setTimeout(resolve, 500);
await promise;

function burn(ms: number): void {
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const endMs = spentMs() + ms;
  while (spentMs() < endMs);
}

if (BLOCKS === "cpu") burn(Number(CPU_MS));
if (BLOCKS === "wait") {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
}
if (BLOCKS === "turns") {
  for (let turn = 0; turn < 20; turn += 1) {
    burn(100);
    await new Promise((turned) => setTimeout(turned, 25));
  }
}
process.exitCode = 7;
