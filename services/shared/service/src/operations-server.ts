import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";

import { createServer } from "@nutrition/core/node-http";
import type { MetricsPage } from "@nutrition/telemetry/metrics/page";

import { listen } from "./listen.ts";

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
const JSON_TYPE = "application/json; charset=utf-8";

/** What a ready service says about its dependencies; it stays ready without them. */
export type ReadinessDetails = Readonly<Record<string, unknown>>;

/**
 * Endpoints for the platform over plain HTTP, on a port that is never public: `/livez` while the
 * process can answer at all, `/readyz` while it accepts work, with details for the operator, and
 * `/metrics`.
 */
export class OperationsServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #metrics: MetricsPage | undefined;
  #details: (() => ReadinessDetails) | undefined;

  private constructor(metrics: MetricsPage | undefined) {
    this.#metrics = metrics;
    this.#server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, this.#answer);
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  static async start({ host, port, metrics }: OperationsOptions): Promise<OperationsServer> {
    const operations = new OperationsServer(metrics);
    await listen(operations.#server, { host, port });
    return operations;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on, the process accepts work; `details` is called for each request. */
  setReady(details: () => ReadinessDetails): void {
    this.#details = details;
  }

  /** From now on, the process accepts no work, as before `setReady`. */
  setStopping(): void {
    this.#details = undefined;
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
      if (!this.#details) return { status: 503, text: "not ready\n" };
      const text = `${JSON.stringify({ status: "ready", ...this.#details() }, undefined, 2)}\n`;
      return { status: 200, type: JSON_TYPE, text };
    }
    if (path === "/metrics" && this.#metrics) {
      return { status: 200, type: this.#metrics.contentType, text: this.#metrics.write() };
    }
    return { status: 404, text: "not found: try /livez, /readyz or /metrics\n" };
  }
}
