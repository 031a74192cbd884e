import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { createClient } from "@nutrition/rpc/client";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { CRONOMETER, Operator } from "./operator.ts";

const OLD = "https://ref.supabase.example/auth/v1";
const API_KEY = "secret-key-of-the-provider";

interface Move {
  subject: string;
  kept: string | null;
  released: string[];
  result: string;
}

/** The people that the provider knows, by subject; null while their address is not confirmed. */
const people = new Map<string, { email: string; email_confirmed_at: string | null }>();

/** Answers as Supabase Auth's administration does. */
const provider = createServer((request, response) => {
  const subject = request.url?.split("/").at(-1) ?? "";
  const person = people.get(subject);
  const isAllowed = request.headers.authorization === `Bearer ${API_KEY}`;
  response.statusCode = isAllowed ? (person ? 200 : 404) : 403;
  response.end(JSON.stringify(person ?? { error_code: "user_not_found" }));
});

let operator: Operator;
let issuer: string;
beforeAll(async () => {
  operator = await Operator.start();
  operator.services.environment["AUTH_API_KEY"] = API_KEY;
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(async () => {
  provider.close();
  await operator[Symbol.asyncDispose]();
});

/** Signs a person in as the pages do, and returns the account. */
async function signIn(claims: { issuer: string; subject: string; email?: string }) {
  const address = operator.services.environment["AUTH_ADDRESS"]!;
  const transport = new UnaryTransport({
    address,
    issuer: operator.services.identity.issuer("web"),
  });
  const client = createClient(AuthService, transport);
  const request = { claims: { email: "", emailVerified: claims.email !== undefined, ...claims } };
  const { account } = await client.signIn(request, { timeoutMs: 5_000 });
  transport.close();
  return account!.id;
}

/** A person with an account under the former issuer, whom the present one knows as well. */
async function someone() {
  const [subject, email] = [randomUUID(), `${randomUUID()}@example.com`];
  const id = await signIn({ issuer: OLD, subject, email });
  people.set(subject, { email, email_confirmed_at: "2026-01-01T00:00:00Z" });
  return { subject, email, id };
}

function importDay(account: string) {
  const file = operator.file(CRONOMETER.header, ...CRONOMETER.rows);
  return operator.importFile(account, "cronometer", file);
}

async function move(subject: string, ...options: string[]): Promise<Move | undefined> {
  const moves: Move[] = await operator.json(
    ...["accounts", "move", "--from", OLD, "--to", issuer],
    ...options,
  );
  return moves.find((one) => one.subject === subject);
}

describe("accounts move", () => {
  test("moves a person whose id and confirmed address are the same, after a dry run that changes nothing", async () => {
    const { subject, email, id } = await someone();
    const expected = { kept: id, released: [], result: "moved" };
    expect(await move(subject, "--dry-run")).toMatchObject(expected);
    await expect(signIn({ issuer, subject, email })).rejects.toMatchObject({
      reason: "ADDRESS_HAS_ACCOUNT",
    });
    expect(await move(subject)).toMatchObject(expected);
    expect(await signIn({ issuer, subject, email })).toBe(id);
    expect(await move(subject)).toBeUndefined();
  });

  test.each([
    ["is unknown there", undefined],
    ["has not confirmed the address there", { email_confirmed_at: null }],
    ["has another address there", { email: "mallory@example.com" }],
  ])("leaves a person who %s", async (_case, change) => {
    const { subject, id } = await someone();
    if (change) people.set(subject, { ...people.get(subject)!, ...change });
    else people.delete(subject);
    expect(await move(subject)).toMatchObject({ kept: null, result: "not_confirmed" });
    expect(await signIn({ issuer: OLD, subject })).toBe(id);
  });

  test("compares with the address of the former account alone", async () => {
    const { subject, id } = await someone();
    const email = `${randomUUID()}@example.com`;
    people.set(subject, { email, email_confirmed_at: "2026-01-01T00:00:00Z" });
    await signIn({ issuer, subject, email });
    expect(await move(subject)).toMatchObject({ kept: null, result: "not_confirmed" });
    expect(await signIn({ issuer: OLD, subject })).toBe(id);
  });

  test("keeps the one of several accounts that has a journal", async () => {
    const { subject, email, id } = await someone();
    const second = await signIn({ issuer, subject });
    await importDay(second);
    expect(await move(subject)).toMatchObject({ kept: second, released: [id], result: "moved" });
    expect(await signIn({ issuer, subject, email })).toBe(second);
  });

  test("lets the operator decide between two journals, and changes nothing before", async () => {
    const { subject, id } = await someone();
    const second = await signIn({ issuer, subject });
    for (const account of [id, second]) await importDay(account);
    expect(await move(subject)).toMatchObject({ kept: null, result: "undecided" });
    expect(await signIn({ issuer, subject })).toBe(second);
    expect(await move(subject, "--keep", id)).toMatchObject({ kept: id, released: [second] });
    expect(await signIn({ issuer, subject })).toBe(id);
  });

  test("moves nobody without the provider's word", async () => {
    const { subject, id } = await someone();
    operator.services.environment["AUTH_API_KEY"] = "another-key";
    const { stderr, exitCode } = await operator.run(
      "accounts",
      "move",
      "--from",
      OLD,
      "--to",
      issuer,
    );
    operator.services.environment["AUTH_API_KEY"] = API_KEY;
    expect({ stderr, exitCode }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("answered 403"),
    });
    expect(await signIn({ issuer: OLD, subject })).toBe(id);
  });
});
