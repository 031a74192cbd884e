import type { Container } from "../compose/compose-file.ts";

/** Nothing listens there. */
const NOWHERE = "127.0.0.1:1";
/** Variables with the ports on which a service listens. */
const PORTS = ["PORT", "RPC_PORT", "OPERATIONS_PORT"];
const SHARED_NETWORK = "service:identity";

type Environment = Readonly<Record<string, string>>;

/** Puts containers that have a network of their own on free ports of this machine's loopback. */
export class Addresses {
  readonly #containers: Readonly<Record<string, Container>>;
  readonly #free: number[];
  /** By the address in the compose file, such as `auth:4700`. */
  readonly #local: Map<string, string>;

  /** `elsewhere` has the addresses of containers that are not ours. */
  constructor(
    containers: Readonly<Record<string, Container>>,
    elsewhere: Environment,
    free: readonly number[],
  ) {
    this.#containers = containers;
    this.#free = [...free];
    this.#local = new Map(Object.entries(elsewhere));
    for (const [name, container] of Object.entries(containers)) this.#place(name, container);
  }

  /** A container's variables, with addresses and ports of this machine. */
  environmentOf(name: string): Record<string, string> {
    const variables = Object.entries(this.#containers[name]?.environment ?? {});
    return Object.fromEntries(
      variables.map(([variable, value]) => [
        variable,
        PORTS.includes(variable)
          ? (this.#local.get(`${name}:${value}`)?.split(":")[1] ?? "")
          : this.#translated(value),
      ]),
    );
  }

  #place(name: string, { environment = {}, network_mode: mode }: Container): void {
    const ports = PORTS.flatMap((variable) => environment[variable] ?? []);
    for (const port of ports) {
      const local = `127.0.0.1:${this.#free.shift()}`;
      this.#local.set(`${name}:${port}`, local);
      // Containers that share a network reach each other, as browsers do, at the loopback address.
      if (mode === SHARED_NETWORK || SHARED_NETWORK.endsWith(`:${name}`)) {
        this.#local.set(`127.0.0.1:${port}`, local);
      }
    }
  }

  #translated(value: string): string {
    if (value === "0.0.0.0") return "127.0.0.1";
    return value.replace(
      /(?<=^|\/)([a-z]+|127\.0\.0\.1):\d+/,
      (address) => this.#local.get(address) ?? NOWHERE,
    );
  }
}
