/**
 * What an assistant's own token can do to an account under the settings that
 * `docs/identity-provider.md` prescribes: nothing. `contract.test.ts` says how to run it.
 */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Assistant } from "./assistant.ts";
import { newAuthClient, openTarget, signIn, type Target, tokenOf } from "./target.ts";

let target: Target;
beforeAll(async () => void (target = await openTarget()));
afterAll(() => target[Symbol.asyncDispose]());

function call(method: string, path: string, token: string, body?: unknown) {
  return fetch(`${target.issuer}${path}`, {
    method,
    headers: {
      ...target.headers,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe("with its own token, an assistant", () => {
  let person: Awaited<ReturnType<typeof signIn>>;
  let assistant: Assistant;
  let token: string;
  let refreshToken: string;
  beforeEach(async () => {
    person = await signIn(target);
    assistant = await Assistant.register(target.issuer);
    const tokens = await assistant.connect(person);
    token = tokens.access_token;
    refreshToken = tokens.refresh_token ?? "";
  });

  test("cannot set a password and sign in as the person", async () => {
    const password = "chosen by the assistant 1!";
    const refused = await call("PUT", "/user", token, { password });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error_code: "session_not_found" });
    const attempt = await newAuthClient(target).signInWithPassword({
      email: target.email,
      password,
    });
    expect(attempt.error).toMatchObject({ code: "invalid_credentials" });
    await signIn(target);
  });

  test.each([
    ["read the account", "GET", "/user"],
    ["change the e-mail address", "PUT", "/user", { email: "assistant@example.com" }],
    ["change profile data", "PUT", "/user", { data: { name: "Mallory" } }],
    ["request a code to change the password", "GET", "/reauthenticate"],
    ["link another sign-in", "GET", "/user/identities/authorize?provider=google"],
    ["list connected assistants", "GET", "/user/oauth/grants"],
    ["sign the person out", "POST", "/logout?scope=global"],
  ])("cannot %s", async (_name, method, path, body = undefined) => {
    const refused = await call(method, path, token, body);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error_code: "session_not_found" });
    expect((await person.getUser()).error).toBeNull();
  });

  test("cannot approve another assistant", async () => {
    const other = await Assistant.register(target.issuer);
    const { authorizationId } = await other.begin();
    const path = `/oauth/authorizations/${authorizationId}`;
    expect((await call("GET", path, token)).status).toBe(403);
    const approval = await call("POST", `${path}/consent`, token, { action: "approve" });
    expect(approval.status).toBe(403);
  });

  test("gains nothing by refreshing, and its new token names the same session", async () => {
    const renewed = await assistant.refresh(refreshToken);
    expect((await call("GET", "/user", renewed.access_token)).status).toBe(403);
    const sessions = [token, renewed.access_token].map((one) => decodeJwt(one)["session_id"]);
    expect(sessions[0]).toBe(sessions[1]);
    expect(sessions[0]).not.toBe(decodeJwt(await tokenOf(person))["session_id"]);
  });
});

describe("a person's own session", () => {
  test("can change the password only with the current one", async () => {
    const token = await tokenOf(await signIn(target));
    const password = "another password 1!";
    const without = await call("PUT", "/user", token, { password });
    expect(await without.json()).toMatchObject({ error_code: "current_password_required" });
    const wrong = await call("PUT", "/user", token, { password, current_password: "a guess" });
    expect(await wrong.json()).toMatchObject({ error_code: "current_password_invalid" });
  });
});

describe("the forwarded address", () => {
  const CALLS = 45;

  /** Opens invalid links from an address; returns the statuses. */
  async function openLinks(address: string, count: number) {
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const response = await fetch(`${target.issuer}/verify?type=signup&token=none-${index}`, {
        headers: { ...target.headers, "sb-forwarded-for": address },
        redirect: "manual",
      });
      statuses.push(response.status);
    }
    return statuses;
  }

  test("limits attempts separately, so that nobody can use up another person's", async () => {
    const [one, other] = [`2001:db8::${randomGroup()}`, `2001:db8::1:${randomGroup()}`];
    expect(await openLinks(one, CALLS)).toContain(429);
    expect(await openLinks(other, 1)).not.toContain(429);
  });

  const randomGroup = () => Math.floor(Math.random() * 0xff_ff).toString(16);
});
