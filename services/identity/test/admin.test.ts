import { Secret } from "@nutrition/core/secret";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";

const KEY = "the-administrators-key";
const CONFIG = {
  host: "127.0.0.1",
  port: 0,
  siteUrl: "http://127.0.0.1",
  allowedRedirects: [],
  users: [],
};

let identity: RunningIdentity;
beforeAll(
  async () => void (identity = await startIdentity({ ...CONFIG, adminKey: new Secret(KEY) })),
);
afterAll(() => identity[Symbol.asyncDispose]());

/** Members of the answers that tests look at. */
interface Answer {
  code: string;
  hashed_token: string;
  refresh_token: string;
  user: { id: string };
}

async function call(
  method: string,
  path: string,
  { key = KEY, body }: { key?: string; body?: object },
) {
  const response = await fetch(identity.issuer + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "x-supabase-api-version": "2024-01-01" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  return { status: response.status, body: answer };
}

const invite = (email: string, key = KEY) =>
  call("POST", "/admin/generate_link", { key, body: { type: "invite", email } });

const verify = (token: string) =>
  call("POST", "/verify", { body: { type: "invite", token_hash: token } });

test("an invitation's token signs in once, with the address confirmed", async () => {
  const { status, body } = await invite("ada@example.com");
  expect(status).toBe(200);
  const first = await verify(body.hashed_token);
  expect(first.body.user).toMatchObject({
    email: "ada@example.com",
    email_confirmed_at: expect.any(String),
  });
  expect((await verify(body.hashed_token)).body.code).toBe("otp_expired");
  expect((await invite("ada@example.com")).body.code).toBe("email_exists");
});

test("a token of another kind is refused, and not used up", async () => {
  const { body } = await invite("kind@example.com");
  const other = { type: "recovery", token_hash: body.hashed_token };
  expect((await call("POST", "/verify", { body: other })).status).toBe(403);
  expect((await verify(body.hashed_token)).status).toBe(200);
});

test("a deleted person cannot renew a session, and can be invited anew", async () => {
  const { body } = await invite("grace@example.com");
  const session = (await verify(body.hashed_token)).body;
  expect((await call("DELETE", `/admin/users/${session.user.id}`, {})).status).toBe(200);
  expect((await call("DELETE", `/admin/users/${session.user.id}`, {})).status).toBe(404);
  const renewal = { refresh_token: session.refresh_token };
  expect((await call("POST", "/token?grant_type=refresh_token", { body: renewal })).status).toBe(
    400,
  );
  expect((await invite("grace@example.com")).status).toBe(200);
});

test("nobody but the administrator invites or deletes, and without a key nobody is one", async () => {
  expect((await invite("eve@example.com", "wrong")).status).toBe(403);
  expect((await call("DELETE", "/admin/users/any", { key: "wrong" })).status).toBe(403);
  expect((await fetch(`${identity.issuer}/admin/generate_link`, { method: "POST" })).status).toBe(
    401,
  );
  await using keyless = await startIdentity(CONFIG);
  const answer = await fetch(`${keyless.issuer}/admin/users/any`, {
    method: "DELETE",
    headers: { authorization: "Bearer undefined" },
  });
  expect(answer.status).toBe(403);
});
