import { findFreePorts } from "@nutrition/local/ports";
import { addressOf, environmentOf } from "@nutrition/local/services";
import { addressVariables, RPC_SERVICES } from "@nutrition/local/topology";
import type { RpcService } from "@nutrition/local/topology";
import type { Wiring } from "@nutrition/local/wiring";

import { wireServices } from "../edge/services.ts";
import type { ServicesOptions } from "../edge/services.ts";
import { Instance } from "../../rotation/instance.ts";

/** Services that may have any number of instances. */
export const REPLICATED = [...RPC_SERVICES, "gateway"] as const;
export type Replicated = (typeof REPLICATED)[number];

/** Ports of each service, which its callers know as they know a headless name's addresses. */
const PORTS_OF_EACH = 3;

interface Replica {
  instance: Instance;
  port: number;
}

/** Several instances of each service on one database, each a process of its own. */
export class Replicas implements AsyncDisposable {
  readonly #wiring: Wiring;
  readonly #ports: Readonly<Record<Replicated, readonly number[]>>;
  readonly #running = new Map<Replicated, Replica[]>();

  private constructor(wiring: Wiring, ports: readonly number[]) {
    this.#wiring = wiring;
    const chosen = REPLICATED.map((name, index) => {
      return [name, ports.slice(index * PORTS_OF_EACH, (index + 1) * PORTS_OF_EACH)];
    });
    this.#ports = Object.fromEntries(chosen) as Record<Replicated, readonly number[]>;
  }

  /** Starts `count` instances of each. */
  static async start(options: ServicesOptions, count: number): Promise<Replicas> {
    // Instances cannot share an operator's port, and nobody asks for it here.
    const wiring = { ...(await wireServices(options)), operatorPorts: {} };
    const ports = await findFreePorts(REPLICATED.length * PORTS_OF_EACH);
    const replicas = new Replicas(wiring, ports);
    try {
      for (let made = 0; made < count; made += 1) {
        // All of them have started or failed before those that run are stopped.
        const added = await Promise.allSettled(REPLICATED.map((name) => replicas.add(name)));
        for (const one of added) if (one.status === "rejected") throw one.reason;
      }
      return replicas;
    } catch (error) {
      await replicas[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Addresses of the gateways, as a balancer in front of them knows them. */
  get baseUrls(): string[] {
    return (this.#running.get("gateway") ?? []).map(({ port }) => `http://127.0.0.1:${port}`);
  }

  instancesOf(name: Replicated): readonly Instance[] {
    return (this.#running.get(name) ?? []).map(({ instance }) => instance);
  }

  /** Starts one more; resolves when it is ready, which its callers have yet to find out. */
  async add(name: Replicated): Promise<Instance> {
    const running = this.#running.get(name) ?? [];
    const taken = new Set(running.map(({ port }) => port));
    const port = this.#ports[name].find((one) => !taken.has(one));
    if (port === undefined) throw new Error(`There is no port for one more ${name}.`);
    const instance = await Instance.start(
      name,
      this.#environmentOf(name, port),
      this.#wiring.config.dataFolder,
    );
    this.#running.set(name, [...running, { instance, port }]);
    return instance;
  }

  /** Takes the oldest away, as a platform does: first from the balancer, then by SIGTERM. */
  async remove(name: Replicated): Promise<number | null> {
    const [oldest, ...others] = this.#running.get(name) ?? [];
    if (!oldest) throw new Error(`No ${name} runs.`);
    this.#running.set(name, others);
    return oldest.instance.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#running.values()].flat();
    await Promise.all(all.map(({ instance }) => instance.stop()));
  }

  #environmentOf(name: Replicated, port: number): Record<string, string> {
    const addressesOf = (callee: RpcService) => this.#ports[callee].map(addressOf).join(",");
    const own = name === "gateway" ? { PORT: String(port) } : { RPC_PORT: String(port) };
    const addresses = addressVariables(name, addressesOf);
    return { ...environmentOf(name, this.#wiring), ...addresses, ...own };
  }
}

/** Calls of these methods that each instance of a service has had. */
export async function callsOf(
  replicas: Replicas,
  name: RpcService,
  methods: readonly string[],
): Promise<number[]> {
  const counts = replicas.instancesOf(name).map(async (instance) => {
    const calls = await instance.callsByMethod();
    return methods.reduce((sum, method) => sum + (calls.get(method) ?? 0), 0);
  });
  return Promise.all(counts);
}
