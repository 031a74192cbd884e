import { expect, test } from "vitest";

import { readConfig } from "./config.ts";

const KEY = "A".repeat(43);
const GOOD = {
  BASE_URL: "https://journal.example/",
  AUTH_URL: "https://project.example/auth/v1/",
  SESSION_KEYS: JSON.stringify([KEY]),
  AUTH_ADDRESS: "127.0.0.1:4701",
  JOURNAL_ADDRESS: "127.0.0.1:4702",
  LIMITS_ADDRESS: "127.0.0.1:4703",
  IDENTITY_PRIVATE_KEY: JSON.stringify({ kty: "OKP", crv: "Ed25519", x: "x", d: "d" }),
};

test("requires only settings without a default, and strips trailing slashes", () => {
  expect(readConfig(GOOD)).toMatchObject({
    port: 3_100,
    baseUrl: "https://journal.example",
    authUrl: "https://project.example/auth/v1",
    authApiKey: undefined,
    oauthAudience: "authenticated",
    signInProviders: ["google", "github"],
  });
});

test("accepts a list of third parties, or none", () => {
  const chosen = readConfig({ ...GOOD, SIGN_IN_PROVIDERS: "apple, custom:acme" });
  expect(chosen.signInProviders).toEqual(["apple", "custom:acme"]);
  expect(readConfig({ ...GOOD, SIGN_IN_PROVIDERS: "none" }).signInProviders).toEqual([]);
});

test.each([
  ["BASE_URL", "journal.example"],
  ["AUTH_URL", "ftp://project.example"],
  ["SIGN_IN_PROVIDERS", "google/../x"],
  ["SMTP_URL", "https://user:password@mail.example.com"],
  ["MAIL_FROM", "somebody"],
  ["SESSION_KEYS", "[]"],
  ["SESSION_KEYS", JSON.stringify(["too-short"])],
])("names an invalid %s without showing its value", (name, value) => {
  const read = () => readConfig({ ...GOOD, [name]: value });
  expect(read).toThrow(name);
  expect(read).not.toThrow(value);
});

test("sends mails with both settings, none without, and refuses one alone", () => {
  const mail = { SMTP_URL: "smtps://mail.example.com", MAIL_FROM: "journal@example.com" };
  expect(readConfig(GOOD).mail).toBeUndefined();
  expect(readConfig({ ...GOOD, ...mail }).mail).toMatchObject({
    server: { host: "mail.example.com", port: 465 },
    sender: { address: "journal@example.com" },
  });
  for (const name of ["SMTP_URL", "MAIL_FROM"])
    expect(() => readConfig({ ...GOOD, ...mail, [name]: "" })).toThrow("set both");
});

test("refuses the development provider's realm in production", () => {
  const realm = { IDENTITY_REALM: "urn:uuid:7d1f1e5e-0000-4000-8000-000000000009" };
  expect(readConfig({ ...GOOD, ...realm }).identityRealm).toBe(realm.IDENTITY_REALM);
  const production = { ...GOOD, ...realm, DEPLOYMENT: "production", INTERNAL_TLS: "none" };
  expect(() => readConfig(production)).toThrow("IDENTITY_REALM");
});
