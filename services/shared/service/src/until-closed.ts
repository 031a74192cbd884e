import type { ServerResponse } from "node:http";

/** Resolves when the whole response has been handed over, or the client has disconnected, even if that was before. */
export function untilClosed(response: ServerResponse): Promise<void> {
  if (response.closed) return Promise.resolve();
  return new Promise((resolve) => response.once("close", resolve));
}
