import type { ServerResponse } from "node:http";

/** State of the request that a response belongs to. */
export interface RequestState {
  /** UUID generated here; one from outside is never used. */
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Path pattern for the log; the requested path could contain anything. */
  route: string;
  /** Set once the credential is verified. */
  accountId?: string;
  /** The called tool, otherwise the method of the MCP message; the first one in a batch. */
  mcp?: string;
  /** Reason of the refusal, usually the code in the response; the first one in a batch. */
  reason?: string;
  /** The error on our side, for the log. */
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
