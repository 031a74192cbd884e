import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";

import { runCommandLine } from "../src/command-line.ts";
import { readConfig } from "../src/config.ts";
import { Services } from "../src/services.ts";
import type { RealServices } from "./real-services.ts";
import { startRealServices } from "./real-services.ts";

/** Cronometer's servings.csv with four items, and a row without nutrients. */
export const CRONOMETER = {
  header:
    "Day,Time,Group,Food Name,Amount,Energy (kcal),Water (g),Protein (g),Carbs (g),Fat (g),Fiber (g),Sugars (g),Sodium (mg),Category",
  rows: [
    '2026-02-11,07:30 PM,Dinner,"Beef Steak, Tenderloin",150.00 g,306.1,90,46.01,0,13.5,0,0,61.5,Beef',
    "2026-02-11,08:00 PM,Dinner,Tap Water,1.00 cup,0,236.59,0,0,0,0,0,9.47,Beverages",
    "2026-02-12,08:00 AM,Breakfast,Egg,1.00 large,71.5,,6.28,0.36,4.76,0,0.19,71,Eggs",
    "2026-02-12,08:00 AM,Breakfast,Egg,1.00 large,71.5,,6.28,0.36,4.76,0,0.19,71,Eggs",
    "2026-02-12,,Lunch,Soup,1.00 bowl,,,,,,,,,Soups",
  ],
};

/** The command line in this process, among real services, with a folder for its files. */
export class Operator implements AsyncDisposable {
  readonly services: RealServices;
  readonly clients: Services;
  readonly folder = mkdtempSync(join(tmpdir(), "admin-journal-"));

  constructor(services: RealServices) {
    this.services = services;
    this.clients = new Services(() => readConfig(services.environment));
  }

  static async start(): Promise<Operator> {
    return new Operator(await startRealServices());
  }

  /** Runs a command. Its output begins with what it prints while running. */
  async run(...args: string[]) {
    let printed = "";
    const print = async (text: string) => void (printed += text);
    const { stdout, ...rest } = await runCommandLine(args, this.clients, print);
    return { stdout: printed + stdout, ...rest };
  }

  /** The JSON value that a command printed, which must have succeeded. */
  async json(...args: string[]) {
    const { stdout, stderr, exitCode } = await this.run(...args, "--json");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    return JSON.parse(stdout);
  }

  createAccount(): Promise<{ id: string; email: string }> {
    const email = `${randomUUID()}@example.com`;
    return this.json("accounts", "create", "--email", email, "--name", "Ana");
  }

  /** An account with some data of every kind. */
  async createFullAccount() {
    const account = await this.createAccount();
    const { id: accountId } = account;
    await this.importFile(
      accountId,
      "cronometer",
      this.file(CRONOMETER.header, ...CRONOMETER.rows),
    );
    await this.json("accounts", "set", accountId, "--timezone", "Europe/Berlin");
    const recordedAt = timestampFromDate(new Date("2026-02-11T07:00:00Z"));
    const weight = { accountId, weightId: randomUUID(), weightKg: 70.5, recordedAt };
    await this.clients.journal.putWeight({ ...weight, notes: '=1+1, "x"' }, { timeoutMs: 5_000 });
    const scopes = ["--scopes", "service.read,nutrition.write"];
    const key = await this.json("keys", "create", "--account", accountId, ...scopes);
    return { ...account, keyId: key.id as string };
  }

  importFile(account: string, from: string, path: string, ...more: string[]) {
    return this.json("journal", "import", "--account", account, "--from", from, path, ...more);
  }

  exportOf(account: string) {
    return this.json("journal", "export", "--account", account, "--format", "json");
  }

  /** A new file with a byte order mark and these lines. */
  file(...lines: string[]): string {
    const path = join(this.folder, `${randomUUID()}.csv`);
    writeFileSync(path, `\ufeff${lines.join("\r\n")}\r\n`);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.folder, { recursive: true });
    this.clients[Symbol.dispose]();
    await this.services[Symbol.asyncDispose]();
  }
}
