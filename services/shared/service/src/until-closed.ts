import type { ServerResponse } from "node:http";

/** Resolves when the whole response has been handed over, or the client has disconnected. */
export function untilClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}
