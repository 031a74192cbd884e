import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { createServer } from "@nutrition/core/node-http";

import type { ReceivedSeries, ReceivedSpan } from "./received.ts";
import { decodeSeries, decodeSpans } from "./received.ts";

/** Storage for what arrives. */
export interface OtlpSink {
  addSpans(spans: readonly ReceivedSpan[]): void;
  addSeries(series: readonly ReceivedSeries[]): void;
}

export interface OtlpReceiverOptions {
  /** 0, the default, picks a free port of the loopback address. */
  port?: number;
  /** Maximum number of spans; the oldest are dropped. */
  spansMax?: number;
  /** Called with all bytes that arrive, including unknown content. */
  onBody?: (body: Uint8Array) => void;
  /** Overrides the response, to test unhealthy collectors. */
  answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface OtlpReceiver extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** The last spans, oldest first. */
  readonly spans: readonly ReceivedSpan[];
  /** The latest value of each series. */
  readonly series: readonly ReceivedSeries[];
}

const SPANS_MAX = 20_000;
const SERIES_MAX = 20_000;
const BODY_MAX_BYTES = 8_000_000;

/** Receives OTLP (protobuf over HTTP) on the loopback address and keeps it in memory. */
export async function startOtlpReceiver(options: OtlpReceiverOptions = {}): Promise<OtlpReceiver> {
  const { port = 0, spansMax = SPANS_MAX, onBody, answer } = options;
  const spans: ReceivedSpan[] = [];
  const series = new Map<string, ReceivedSeries>();

  const sink: OtlpSink = {
    addSpans(arrived) {
      spans.push(...arrived);
      spans.splice(0, Math.max(0, spans.length - spansMax));
    },
    addSeries(arrived) {
      for (const one of arrived) {
        const key = keyOf(one);
        if (series.has(key) || series.size < SERIES_MAX) series.set(key, one);
      }
    },
  };
  const server = createServer((request, response) => {
    if (answer) return answer(request, response);
    void takeExport(request, sink, onBody).then((status) => response.writeHead(status).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get series() {
      return [...series.values()];
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Reads one export into the sink. Resolves with the HTTP status of the response; never rejects. */
export async function takeExport(
  request: IncomingMessage,
  sink: OtlpSink,
  onBody?: (body: Uint8Array) => void,
): Promise<number> {
  try {
    const body = await readBody(request);
    if (body === undefined) return 413;
    onBody?.(body);
    if (request.url === "/v1/traces") sink.addSpans(decodeSpans(body));
    else if (request.url === "/v1/metrics") sink.addSeries(decodeSeries(body));
    else return 404;
    return 200;
  } catch {
    return 400;
  }
}

/** Identifies a series. */
export function keyOf({ service, name, attributes }: ReceivedSeries): string {
  return JSON.stringify([service, name, attributes]);
}

/** The whole body; undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
