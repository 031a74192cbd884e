// Child process of load.ts, so that the cost of the load does not count as the measured system's.
import { createHistogram } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "undici";

import type { LoadOrder, LoadResult } from "./load.ts";
import { pickerOf } from "./picker.ts";
import { serveOrders } from "./worker-process.ts";

/** Of a failure's body. */
const SHOWN_BYTES = 300;

async function run(order: LoadOrder): Promise<LoadResult> {
  const latencies = createHistogram();
  const result = { answers: 0, failures: 0, firstFailure: undefined as string | undefined };
  const pick = pickerOf(order.seed);
  let next = 0;
  let begun = 0;
  const gapMs = 1_000 / (order.requestsPerSecond ?? Infinity);
  const startedMs = performance.now();
  const endMs = startedMs + order.durationMs;
  const clients = Array.from({ length: order.connections }, () => new Client(order.baseUrl));
  const connection = async (client: Client) => {
    while (performance.now() < endMs) {
      if (gapMs > 0) await sleep(Math.max(0, startedMs + begun++ * gapMs - performance.now()));
      const sentMs = performance.now();
      const { length } = order.apiKeys;
      const apiKey = order.apiKeys[order.isInOrder ? next++ % length : pick(length)] ?? "";
      const path = order.paths[pick(order.paths.length)] ?? "";
      const headers = { ...order.posts?.headers, authorization: `Bearer ${apiKey}` };
      const body = order.posts?.bodies[pick(order.posts.bodies.length)];
      const failure = await ask(client, { path, headers, body });
      if (failure === undefined) {
        result.answers += 1;
        latencies.record(Math.max(1, Math.round((performance.now() - sentMs) * 1_000)));
      } else {
        result.failures += 1;
        result.firstFailure ??= failure;
        if (result.failures > order.connections) return;
      }
    }
  };
  await Promise.all(clients.map(connection));
  const elapsedMs = performance.now() - startedMs;
  await Promise.all(clients.map((client) => client.destroy()));
  const percentileMs = (percentile: number) => latencies.percentile(percentile) / 1_000;
  return { ...result, elapsedMs, p50Ms: percentileMs(50), p99Ms: percentileMs(99) };
}

interface Question {
  path: string;
  headers: Record<string, string>;
  /** Body to post; undefined to get the document at the path. */
  body: string | undefined;
}

/** Requests one document and reads all of it; resolves to the problem with the response, if any. */
function ask(client: Client, { path, headers, body }: Question): Promise<string | undefined> {
  return new Promise((resolve) => {
    let status = 0;
    let bytes = 0;
    let start = "";
    const request = {
      method: body === undefined ? "GET" : "POST",
      path,
      headers,
      body: body ?? null,
    } as const;
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (status !== 200 && start === "") start = chunk.toString("utf8", 0, SHOWN_BYTES);
      },
      onResponseEnd() {
        resolve(status === 200 && bytes > 0 ? undefined : `status ${status}: ${start}`);
      },
      onResponseError(_controller, error) {
        resolve(error.message);
      },
    });
  });
}

serveOrders(run);
