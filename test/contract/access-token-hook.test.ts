import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { sql } from "@nutrition/postgres/sql";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

const HOOK = new URL("../../deploy/identity-provider/access-token-hook.sql", import.meta.url);
const MIGRATIONS = fileURLToPath(new URL("../../services/auth/migrations", import.meta.url));
const SESSION_ID = "4b938a09-5372-4177-a314-cfa292099ea2";

const CALLER = "supabase_auth_admin";
const STRANGER = "hook_test_stranger";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase("auth", MIGRATIONS);
  // As in any PostgreSQL but the vendor's: the roles `anon` and `authenticated` do not exist.
  await run(`create role ${CALLER}; create role ${STRANGER}`);
  await run(await readFile(HOOK, "utf8"));
});
afterAll(async () => {
  await run(`drop function public.detach_client_tokens;
    drop owned by ${CALLER}; drop role ${CALLER}; drop role ${STRANGER}`);
  await db[Symbol.asyncDispose]();
});

async function run(text: string): Promise<void> {
  await db.database.query({ text, values: [] });
}

async function claimsAfter(claims: Record<string, unknown>) {
  const event = JSON.stringify({ user_id: "any", claims, authentication_method: "token_refresh" });
  const [row] = await db.database.query<{ output: { claims: Record<string, unknown> } }>(
    sql`select public.detach_client_tokens(${event}::jsonb) as output`,
  );
  return row?.output.claims;
}

test("an assistant's token names a different session, always the same one", async () => {
  const claims = { sub: "a", session_id: SESSION_ID, client_id: "b", aud: "authenticated" };
  const first = await claimsAfter(claims);
  expect(first?.["session_id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(first?.["session_id"]).not.toBe(SESSION_ID);
  expect({ ...first, session_id: SESSION_ID }).toEqual(claims);
  expect(await claimsAfter({ ...claims, sub: "c" })).toMatchObject({
    session_id: first?.["session_id"],
  });
});

test.each([{}, { client_id: "" }])("a person's own token (%j) is unchanged", async (more) => {
  const claims = { sub: "a", session_id: SESSION_ID, ...more };
  expect(await claimsAfter(claims)).toEqual(claims);
});

test("only Supabase Auth may call it", async () => {
  const rows = await db.database.query<{ name: string; may: boolean }>(sql`
    select name, has_function_privilege(name, 'public.detach_client_tokens(jsonb)', 'execute') as may
    from unnest(${[CALLER, STRANGER]}::text[]) as name
  `);
  expect(Object.fromEntries(rows.map(({ name, may }) => [name, may]))).toEqual({
    [CALLER]: true,
    [STRANGER]: false,
  });
});
