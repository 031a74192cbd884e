import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { findFreePorts } from "@nutrition/local/ports";
import { postgresUrl, startPostgres } from "@nutrition/local/postgres";
import type { RunningRedis } from "@nutrition/test-support/redis";
import { Client } from "pg";

import type { Container } from "../compose/compose-file.ts";
import { readComposeFile } from "../compose/compose-file.ts";
import { Addresses } from "./addresses.ts";
import { ContainerProcess } from "./container-process.ts";
import type { ImageFolders } from "./image.ts";
import { accountOf } from "./stage-folder.ts";

/** More than all containers have ports. */
const PORTS = 30;
const DATABASE = "nutrition";
const SERVICES = ["identity", "web", "auth", "journal", "limits", "analysis", "gateway"];

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs our containers of deploy/compose.yaml as processes: with its commands, environments and
 * accounts, from folders that hold what their images hold. PostgreSQL and Redis are this machine's.
 */
export class ComposedSystem implements AsyncDisposable {
  readonly #folder: string;
  readonly #images: ImageFolders;
  readonly #containers: Readonly<Record<string, Container>>;
  readonly #addresses: Addresses;
  readonly #postgresPort: number;
  readonly #stack = new AsyncDisposableStack();
  #password = "";

  private constructor(
    folder: string,
    images: ImageFolders,
    redis: RunningRedis | undefined,
    ports: number[],
  ) {
    const [postgresPort = 0, ...free] = ports;
    this.#folder = folder;
    this.#images = images;
    this.#postgresPort = postgresPort;
    this.#containers = readComposeFile().services;
    const ours = Object.entries(this.#containers).filter(([, { build }]) => build);
    const elsewhere = {
      "postgres:5432": `127.0.0.1:${postgresPort}`,
      ...(redis && { "redis:6379": `127.0.0.1:${redis.port}` }),
    };
    this.#addresses = new Addresses(Object.fromEntries(ours), elsewhere, free);
  }

  /** Resolves when every service is ready. `folder` must exist. */
  static async start(folder: string, images: ImageFolders, redis?: RunningRedis) {
    const system = new ComposedSystem(folder, images, redis, await findFreePorts(PORTS));
    try {
      await system.#start();
      return system;
    } catch (error) {
      await system[Symbol.asyncDispose]();
      throw error;
    }
  }

  get baseUrl(): string {
    return this.#addresses.environmentOf("gateway")["BASE_URL"] ?? "";
  }

  /** Address of the database's administrator. */
  get databaseUrl(): string {
    const url = new URL(postgresUrl({ port: this.#postgresPort, password: this.#password }));
    return Object.assign(url, { pathname: DATABASE }).href;
  }

  /** Runs a container that exits by itself; `args` follow its command. */
  async run(name: string, ...args: readonly string[]): Promise<Finished> {
    const process = await this.#launch(name, args);
    return { code: await process.ended, output: process.output };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async #start(): Promise<void> {
    for (const volume of ["secrets", "data"]) await mkdir(join(this.#folder, volume));
    await this.#complete("secrets");
    await this.#startDatabase();
    await this.#complete("database");
    await Promise.all(
      SERVICES.map(async (name) => {
        const process = this.#stack.use(await this.#launch(name, []));
        const { OPERATIONS_PORT: port } = this.#addresses.environmentOf(name);
        await process.untilReady(`http://127.0.0.1:${port}/readyz`);
      }),
    );
  }

  async #complete(name: string): Promise<void> {
    const { code, output } = await this.run(name);
    if (code !== 0) throw new Error(`${name} exited with ${code}:\n${output}`);
  }

  async #startDatabase(): Promise<void> {
    this.#password = await readFile(join(this.#folder, "secrets/postgres-password"), "utf8");
    const server = await startPostgres({
      directory: join(this.#folder, "postgres"),
      log: join(this.#folder, "postgres.log"),
      port: this.#postgresPort,
      password: this.#password,
      settings: { fsync: "off" },
      temporary: true,
    });
    this.#stack.defer(() => server.stop());
    const client = new Client({
      connectionString: postgresUrl({ port: this.#postgresPort, password: this.#password }),
    });
    await client.connect();
    await client.query(`create database ${DATABASE}`);
    await client.end();
  }

  async #launch(name: string, args: readonly string[]): Promise<ContainerProcess> {
    const container = this.#containers[name];
    const image = await this.#images.of(container?.build?.args.SERVICE ?? "");
    const { entrypoint = image.entrypoint, command = [], user } = container ?? {};
    const account = user === undefined ? image.account : accountOf(user);
    const local = (text: string) =>
      text.replace(/(?<=^|=)\/(secrets|data)\b/, (place) => join(this.#folder, place));
    const variables = Object.entries(this.#addresses.environmentOf(name));
    return new ContainerProcess(image, {
      words: [...entrypoint, ...command, ...args].map(local),
      environment: Object.fromEntries(
        variables.map(([variable, value]) => [variable, local(value)]),
      ),
      account,
    });
  }
}
