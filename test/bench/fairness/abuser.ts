/** How the abusive account makes a request. */
export type Manner =
  /** Waits for the response, then makes the next on the same connection. */
  | "wait"
  /** Closes the connection soon after the request. */
  | "hang up"
  /** Sends the last part of the request a byte at a time. */
  | "trickle"
  /** Keeps the connection after the response, without another request. */
  | "idle";

/** A request as the bytes of HTTP/1.1. */
export interface Message {
  text: string;
  /** Of the text's end, for who trickles. */
  trickledBytes?: number;
  /** Interval of the trickled bytes; 20 ms unless given. */
  trickleMs?: number;
}

export interface AbuserOrder {
  host: string;
  port: number;
  manner: Manner;
  /** Local addresses to connect from, taken in turn; the usual one if empty. */
  addresses: readonly string[];
  /** Taken in turn. */
  messages: readonly Message[];
  connections: number;
  durationMs: number;
  /** Maximum number of requests per second over all connections. */
  perSecondMax: number;
}

export interface AbuserResult {
  requests: number;
  /** How many ended how: an HTTP status, "hung up", "closed" (by the server), "open" (at the end). */
  outcomes: Record<string, number>;
  /** CPU time of the abuser itself. */
  cpuMicros: number;
}
