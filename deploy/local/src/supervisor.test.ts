import { expect, test, vi } from "vitest";

import type { Exit } from "./exits.ts";
import { Supervised } from "./supervisor.ts";

const ENDED = { code: 1, signal: null };

/** Launches fake processes that run until the test ends them. */
function scriptedLaunches() {
  const running: { end: (exit: Exit) => void; wasStopped: boolean; wasKilled: boolean }[] = [];
  const launch = async () => {
    const { promise, resolve } = Promise.withResolvers<Exit>();
    const one = { end: resolve, wasStopped: false, wasKilled: false };
    running.push(one);
    return {
      exited: promise,
      async stop() {
        one.wasStopped = true;
        resolve(ENDED);
      },
      kill() {
        one.wasKilled = true;
        resolve(ENDED);
      },
    };
  };
  return { running, launch };
}

test("restarts a process that exits, with growing delays", async () => {
  const { running, launch } = scriptedLaunches();
  const delays: number[] = [];
  const supervised = new Supervised({ launch, onEnd: (delayMs) => delays.push(delayMs) });
  await supervised.start();
  running[0]?.end(ENDED);
  await expect.poll(() => running).toHaveLength(2);
  running[1]?.end(ENDED);
  await expect.poll(() => running).toHaveLength(3);
  expect(delays).toEqual([100, 200]);
  await supervised.stop();
});

test("tells each launch how often the process has exited unrequested", async () => {
  const { running, launch } = scriptedLaunches();
  const ends: number[] = [];
  const supervised = new Supervised({
    launch: (recentEnds) => {
      ends.push(recentEnds);
      return launch();
    },
    onEnd: vi.fn(),
  });
  await supervised.start();
  running[0]?.end(ENDED);
  await expect.poll(() => running).toHaveLength(2);
  supervised.restart();
  await expect.poll(() => running).toHaveLength(3);
  running[2]?.end(ENDED);
  await expect.poll(() => running).toHaveLength(4);
  expect(ends).toEqual([0, 1, 1, 2]);
  await supervised.stop();
});

test("reports how a process ended", async () => {
  const { running, launch } = scriptedLaunches();
  const onEnd = vi.fn();
  const supervised = new Supervised({ launch, onEnd });
  await supervised.start();
  running[0]?.end({ code: null, signal: "SIGKILL" });
  await expect.poll(() => onEnd).toHaveBeenCalledWith(100, { code: null, signal: "SIGKILL" });
  await supervised.stop();
});

test("does not restart a process that was told to stop", async () => {
  const { running, launch } = scriptedLaunches();
  const onEnd = vi.fn();
  const supervised = new Supervised({ launch, onEnd });
  await supervised.start();
  await supervised.stop();
  expect(running).toHaveLength(1);
  expect(running[0]?.wasStopped).toBe(true);
  expect(onEnd).not.toHaveBeenCalled();
});

test("a stop while waiting for the next launch ends the wait", async () => {
  const { running, launch } = scriptedLaunches();
  const ended = Promise.withResolvers<void>();
  const supervised = new Supervised({ launch, onEnd: () => ended.resolve() });
  await supervised.start();
  running[0]?.end(ENDED);
  await ended.promise;
  await supervised.stop();
  expect(running).toHaveLength(1);
});

test("a stop during a launch stops the launched process", async () => {
  const { running, launch } = scriptedLaunches();
  const gate = Promise.withResolvers<void>();
  const supervised = new Supervised({ launch: () => gate.promise.then(launch), onEnd: vi.fn() });
  const starting = supervised.start();
  const stopping = supervised.stop();
  gate.resolve();
  await Promise.all([starting, stopping]);
  expect(running[0]?.wasStopped).toBe(true);
});

test("retries a failed launch", async () => {
  const { running, launch } = scriptedLaunches();
  let launches = 0;
  const supervised = new Supervised({
    launch: async () => {
      launches += 1;
      if (launches === 2) throw new Error("the launch failed");
      return launch();
    },
    onEnd: vi.fn(),
  });
  await supervised.start();
  running[0]?.end(ENDED);
  await expect.poll(() => running).toHaveLength(2);
  expect(launches).toBe(3);
  await supervised.stop();
});

test("a requested restart is immediate and not reported as an exit", async () => {
  const { running, launch } = scriptedLaunches();
  const onEnd = vi.fn();
  const supervised = new Supervised({ launch, onEnd });
  await supervised.start();
  supervised.restart();
  await expect.poll(() => running).toHaveLength(2);
  expect(running[0]?.wasStopped).toBe(true);
  supervised.restart();
  await expect.poll(() => running).toHaveLength(3);
  expect(onEnd).not.toHaveBeenCalled();
  await supervised.stop();
});

test("a restart ends the wait for the next launch", async () => {
  const { running, launch } = scriptedLaunches();
  const onEnd = vi.fn();
  const supervised = new Supervised({ launch, onEnd });
  await supervised.start();
  running[0]?.end(ENDED);
  await expect.poll(() => onEnd).toHaveBeenCalledOnce();
  supervised.restart();
  await expect.poll(() => running).toHaveLength(2);
  expect(onEnd).toHaveBeenCalledOnce();
  await supervised.stop();
});
