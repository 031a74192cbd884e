import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";

import { createServer } from "@nutrition/core/node-http";
import type { MetricsPage } from "@nutrition/telemetry/metrics/page";

import { listen } from "./listen.ts";
import { shareConnections } from "./share-connections.ts";

export interface OperationsOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Without it, no metrics are served. */
  metrics?: MetricsPage | undefined;
}

const CONNECTIONS_MAX = 16;
const REQUEST_TIMEOUT_MS = 5_000;
const PLAIN_TEXT = "text/plain; charset=utf-8";

/**
 * Endpoints for the platform over plain HTTP, on a port that is never public: `/livez` while the
 * process can answer at all, `/readyz` while it accepts work, and `/metrics`.
 */
export class OperationsServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #metrics: MetricsPage | undefined;
  #isReady = false;

  private constructor(metrics: MetricsPage | undefined) {
    this.#metrics = metrics;
    this.#server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, this.#answer);
    shareConnections(this.#server, { max: CONNECTIONS_MAX });
  }

  static async start({ host, port, metrics }: OperationsOptions): Promise<OperationsServer> {
    const operations = new OperationsServer(metrics);
    await listen(operations.#server, { host, port });
    return operations;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Sets whether the process accepts work; it does not until this is called. */
  setReady(isReady: boolean): void {
    this.#isReady = isReady;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  readonly #answer: RequestListener = ({ url }, response) => {
    const { status, type = PLAIN_TEXT, text } = this.#answerTo(url);
    response.writeHead(status, { "Content-Type": type }).end(text);
  };

  #answerTo(path: string | undefined): { status: number; type?: string; text: string } {
    if (path === "/livez") return { status: 200, text: "alive\n" };
    if (path === "/readyz") {
      return this.#isReady
        ? { status: 200, text: "ready\n" }
        : { status: 503, text: "not ready\n" };
    }
    if (path === "/metrics" && this.#metrics) {
      return { status: 200, type: this.#metrics.contentType, text: this.#metrics.write() };
    }
    return { status: 404, text: "not found: try /livez, /readyz or /metrics\n" };
  }
}
