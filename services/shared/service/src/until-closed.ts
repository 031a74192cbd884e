import type { ServerResponse } from "node:http";

/** Resolves when the whole answer has been handed over, or the client has hung up. */
export function untilClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}
