import { createServer, request as forward } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

/** Where a call to the provider fails: before it arrives, or on the way back. */
export type Interruption = "before" | "after" | undefined;

/** A proxy between the pages and the identity provider, so that tests can cut any single call. */
export class ProviderProxy implements AsyncDisposable {
  readonly port: number;
  /** Set once the provider runs. */
  target = "";
  /** Called for each call. */
  interrupt: (method: string, path: string) => Interruption = () => undefined;
  /** Responds in place of the provider. */
  replace: (method: string, path: string) => unknown = () => undefined;
  /** Called with the status of each answer of the provider. */
  observe: (status: number) => void = () => undefined;
  /** Headers of received calls, by path without query. */
  readonly seen = new Map<string, IncomingHttpHeaders>();
  readonly #server = createServer((request, response) => this.#handle(request, response));

  constructor(port: number) {
    this.port = port;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.port, "127.0.0.1", resolve));
  }

  reset(): void {
    this.interrupt = () => undefined;
    this.replace = () => undefined;
    this.observe = () => undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { method = "GET", url = "/", headers } = request;
    this.seen.set(url.split("?")[0]!, headers);
    const interruption = this.interrupt(method, url);
    if (interruption === "before") return void request.socket.destroy();
    const replacement = this.replace(method, url);
    if (replacement !== undefined) {
      response.setHeader("Content-Type", "application/json");
      return void response.end(JSON.stringify(replacement));
    }
    const [host, port] = this.target.split(":");
    const options = { host, port, method, path: url, headers };
    const passed = forward(options, (answer) => {
      this.observe(answer.statusCode ?? 502);
      if (interruption === "after") {
        answer.resume();
        return void answer.once("end", () => request.socket.destroy());
      }
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    passed.once("error", () => request.socket.destroy());
    request.pipe(passed);
  }
}
