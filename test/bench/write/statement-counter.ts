import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:net";

/** What a role of PostgreSQL sent. */
export interface Traffic {
  statements: number;
  /** Times it waited for results: statements that are sent together wait once. */
  roundTrips: number;
}

/** Stands between services and PostgreSQL, and counts what passes, by role. */
export class StatementCounter implements AsyncDisposable {
  readonly #server = createServer((client) => this.#relay(client));
  readonly #database: URL;
  #traffic = new Map<string, Traffic>();

  private constructor(databaseUrl: string) {
    this.#database = new URL(databaseUrl);
  }

  /** Relays to the server of this address. */
  static async start(databaseUrl: string): Promise<StatementCounter> {
    const counter = new StatementCounter(databaseUrl);
    counter.#server.listen(0, "127.0.0.1");
    await once(counter.#server, "listening");
    return counter;
  }

  /** The address with which to reach a database of the server through the counter. */
  through(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = "127.0.0.1";
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** What was sent since the last call, by role. */
  take(): ReadonlyMap<string, Traffic> {
    const traffic = this.#traffic;
    this.#traffic = new Map();
    return traffic;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, "close");
  }

  #relay(client: Socket): void {
    const { hostname, port } = this.#database;
    const server = connect(Number(port), hostname);
    const messages = new FrontendMessages();
    let isWaiting = false;
    client.on("data", (bytes) => {
      const statements = messages.countStatements(bytes);
      const traffic = this.#trafficOf(messages.role);
      traffic.statements += statements;
      if (!isWaiting) traffic.roundTrips += 1;
      isWaiting = true;
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      isWaiting = false;
      client.write(bytes);
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on("error", () => other.destroy());
      socket.on("close", () => other.destroy());
    }
  }

  #trafficOf(role: string): Traffic {
    let traffic = this.#traffic.get(role);
    if (!traffic) this.#traffic.set(role, (traffic = { statements: 0, roundTrips: 0 }));
    return traffic;
  }
}

const EXECUTE = "E".charCodeAt(0);
const QUERY = "Q".charCodeAt(0);
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** Reads the messages of a client (PostgreSQL's "Frontend/Backend Protocol", message formats). */
class FrontendMessages {
  /** The role that connected; empty until it is known. */
  role = "";
  #rest: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  countStatements(bytes: Buffer): number {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    let statements = 0;
    for (;;) {
      // Only the first message has no type.
      const typeBytes = this.#hasBegun ? TYPE_BYTES : 0;
      if (this.#rest.length < typeBytes + LENGTH_BYTES) return statements;
      const end = typeBytes + this.#rest.readUInt32BE(typeBytes);
      if (this.#rest.length < end) return statements;
      const [type] = this.#rest;
      if (!this.#hasBegun) this.role = roleOf(this.#rest.subarray(0, end));
      else if (type === EXECUTE || type === QUERY) statements += 1;
      this.#hasBegun = true;
      this.#rest = this.#rest.subarray(end);
    }
  }
}

function roleOf(startup: Buffer): string {
  const words = startup.toString("utf8", 2 * LENGTH_BYTES).split("\0");
  return words[words.indexOf("user") + 1] ?? "";
}
