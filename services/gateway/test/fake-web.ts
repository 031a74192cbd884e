import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to the web service. */
export interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Stands in for the web service. */
export interface FakeWeb extends AsyncDisposable {
  readonly url: string;
  readonly asked: Asked[];
  /** Answers with a page by default. */
  answer: (response: ServerResponse) => void;
}

export async function startFakeWeb(): Promise<FakeWeb> {
  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = incoming;
    const body = (await incoming.toArray()).join("");
    web.asked.push({ method, url, headers, body });
    web.answer(response);
  };
  // Accepts header sizes as large as the real service does.
  const limits = { maxHeaderSize: 32_768 };
  const server = createServer(limits, (incoming, response) => void listener(incoming, response));
  const port = await listen(server);
  const web: FakeWeb = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    answer: answerPage,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return web;
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

export function answerPage(response: ServerResponse): void {
  response.setHeader("Content-Type", "text/html");
  response.setHeader("Content-Security-Policy", "default-src 'self'");
  response.setHeader("Set-Cookie", ["one=1; HttpOnly", "two=2; HttpOnly"]);
  response.setHeader("X-Request-Id", "of-the-web-service");
  response.end("<p>A page</p>");
}
