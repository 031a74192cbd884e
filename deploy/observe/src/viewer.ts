import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { createServer } from "@nutrition/core/node-http";
import { shareConnections } from "@nutrition/service/share-connections";
import { takeExport } from "@nutrition/telemetry/otlp/receiver";

import type { Answer } from "./answers.ts";
import { answerTo, isOwnHost, refusal } from "./answers.ts";
import type { ViewerConfig } from "./config.ts";
import { SeriesStore } from "./store/series-store.ts";
import { TraceStore } from "./store/trace-store.ts";

export interface RunningViewer extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly address: string;
}

const LOOPBACK = "127.0.0.1";
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 200;

/**
 * Receives OTLP (protobuf over HTTP) like a collector, keeps the latest of it in memory and shows
 * it on pages of the same port. Listens on the loopback address only.
 */
export async function startViewer({ port }: ViewerConfig): Promise<RunningViewer> {
  const traces = new TraceStore();
  const series = new SeriesStore();
  const sink = {
    addSpans: traces.addSpans.bind(traces),
    addSeries: series.addSeries.bind(series),
  };
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    if (!isOwnHost(request.headers.host)) return refusal(421, "Use the address of npm start.");
    if (request.method === "GET") return answerTo(request.url ?? "/", { traces, series });
    if (request.method !== "POST") return refusal(405, "Only GET and OTLP's POST are supported.");
    // A page of another site can post, but not with this content type: that needs a preflight,
    // which is not answered.
    if (request.headers["content-type"] !== "application/x-protobuf") {
      return refusal(415, "OTLP is accepted as application/x-protobuf only.");
    }
    return { status: await takeExport(request, sink), type: "application/x-protobuf", body: "" };
  };
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    void answer(request).then((given) => send(response, given));
  });
  shareConnections(server, { max: CONNECTIONS_MAX });
  await once(server.listen(port, LOOPBACK), "listening");
  return {
    address: `${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response
    .writeHead(status, {
      "Content-Type": type,
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    })
    .end(body);
}
