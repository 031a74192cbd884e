import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface AuthorizingProxy extends AsyncDisposable {
  /** The proxy's address with a host name, for tools that check the `Host` header. */
  readonly url: string;
}

/** Forwards requests to `target` unchanged, with an API key that the sender cannot set. */
export async function startAuthorizingProxy(
  target: string,
  apiKey: string,
): Promise<AuthorizingProxy> {
  const server = createServer((incoming, answer) => passOn(incoming, answer, { target, apiKey }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { target, apiKey }: { target: string; apiKey: string },
): void {
  const { method, headers, url = "/" } = incoming;
  const outgoing = request(new URL(url, target), {
    method,
    headers: { ...headers, authorization: `Bearer ${apiKey}` },
  });
  outgoing.once("response", (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  outgoing.once("error", (error) => answer.destroy(error));
  answer.once("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}
