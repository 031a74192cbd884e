import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestDatabase } from "@nutrition/postgres/testing";
import { Network } from "@nutrition/test-support/network";
import { expect } from "vitest";

import { runCommandLine } from "../src/command-line.ts";
import { readConfig } from "../src/config.ts";
import { Services } from "../src/services.ts";

/** The foods commands against a real analysis service, with a folder for files. */
export class FoodOperator implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "admin-foods-"));
  readonly environment: Readonly<Record<string, string>>;
  readonly #network: Network;
  readonly clients: Services;
  readonly database: TestDatabase;

  constructor(network: Network, database: TestDatabase) {
    this.#network = network;
    this.environment = network.operatorEnvironment;
    this.database = database;
    this.clients = new Services(() => readConfig(this.environment));
  }

  static async start(): Promise<FoodOperator> {
    const network = await Network.open();
    await network.start("analysis");
    return new FoodOperator(network, await network.database("analysis"));
  }

  /** Runs a foods command. Its output begins with what it prints while running. */
  async run(...args: string[]) {
    let printed = "";
    const print = async (text: string) => void (printed += text);
    const { stdout, ...rest } = await runCommandLine(["foods", ...args], this.clients, print);
    return { ...rest, stdout: printed + stdout };
  }

  /** The JSON value that a command printed, which must have succeeded. */
  async json(...args: string[]) {
    const { stdout, stderr, exitCode } = await this.run(...args, "--json");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    return JSON.parse(stdout);
  }

  /** A new file of that name. */
  file(name: string, content: string | Buffer): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** All stored rows as one text. */
  async stored(): Promise<string> {
    const rows = await this.database.database.query<{ row: string }>({
      text: `select to_jsonb(f)::text as row from foods f
        union all select to_jsonb(b)::text from branded_foods b order by row`,
      values: [],
    });
    return rows.map(({ row }) => row).join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.folder, { recursive: true });
    this.clients[Symbol.dispose]();
    await this.#network[Symbol.asyncDispose]();
  }
}
