import type { ServerResponse } from "node:http";

/** What is known about the request that a response belongs to. */
export interface RequestState {
  /** UUID made here; none is taken from outside. */
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Path pattern for the log; the requested path may hold anything. */
  route: string;
  /** Set once the credential is verified. */
  accountId?: string;
  /** Tool that was called, or else the method of the MCP message; of several, the first. */
  mcp?: string;
  /** Why it was refused, mostly the code that the caller was told; of several, the first. */
  reason?: string;
  /** What went wrong on our side, for the log. */
  error?: unknown;
}

const states = new WeakMap<ServerResponse, RequestState>();

export function setState(response: ServerResponse, state: RequestState): void {
  states.set(response, state);
}

/** The state that the first middleware set. */
export function stateOf(response: ServerResponse): RequestState {
  const state = states.get(response);
  if (!state) throw new Error("The request did not pass through the middleware that starts it.");
  return state;
}
