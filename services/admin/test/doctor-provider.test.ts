import { describe, expect, it } from "vitest";

import { findings, site } from "./doctor-fixture.ts";

describe("about the identity provider, the doctor reports", () => {
  const external = { anonymous_users: true, phone: true };

  it("that its visible settings are correct", async () => {
    const pages: Record<string, object> = {};
    const authUrl = await site(pages);
    pages["/.well-known/oauth-authorization-server"] = {
      issuer: authUrl,
      registration_endpoint: `${authUrl}/register`,
      code_challenge_methods_supported: ["S256"],
    };
    pages["/settings"] = { mailer_autoconfirm: false, external: { phone: false } };
    const codes = (await findings({ authUrl })).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(["discovery_fits", "provider_settings_fit"]));
  });

  it("an incomplete discovery document, unusable keys, and unsafe settings", async () => {
    const pages: Record<string, object> = { "/.well-known/jwks.json": { keys: [] } };
    const authUrl = await site(pages);
    pages["/.well-known/oauth-authorization-server"] = { issuer: authUrl };
    pages["/settings"] = { mailer_autoconfirm: true, external };
    const codes = (await findings({ authUrl })).map(({ code }) => code);
    for (const code of [
      ...["registration_off", "pkce_missing", "key_set_unusable", "email_unconfirmed"],
      ...["sign_in_unwanted", "provider_hidden_settings"],
    ]) {
      expect(codes).toContain(code);
    }
    delete pages["/settings"];
    const hidden = (await findings({ authUrl })).map(({ code }) => code);
    expect(hidden).toContain("provider_settings_unseen");
  });

  it("which addresses a gateway in front closes to assistants", async () => {
    const closed = ["/.well-known/openid-configuration", "/oauth/clients/register"];
    const authUrl = await site({}, Object.fromEntries(closed.map((path) => [path, 401])));
    const found = (await findings({ authUrl })).find(({ code }) => code === "addresses_closed");
    expect(found).toMatchObject({ level: "problem" });
    expect(found?.message).toContain(closed.map((path) => authUrl + path).join(", "));
  });

  it("that it does not know its own address", async () => {
    const authUrl = await site({ "/.well-known/oauth-authorization-server": { issuer: "" } });
    const found = (await findings({ authUrl })).find(({ code }) => code === "issuer_missing");
    expect(found?.advice).toContain(`GOTRUE_JWT_ISSUER to ${authUrl}`);
  });

  it.each([
    ["v2.186.0", "problem provider_outdated"],
    ["v2.187.0", "warning provider_outdated"],
    ["v2.190.0", "ok provider_version_fits"],
    ["v2.1000.0", "ok provider_version_fits"],
    ["unknown", "unchecked provider_version_unseen"],
  ])("for version %s: %s", async (version, expected) => {
    const authUrl = await site({ "/health": { version } });
    const found = await findings({ authUrl });
    expect(found.map(({ code, level }) => `${level} ${code}`)).toContain(expected);
  });

  it.each([
    [200, "api_key_fits"],
    [403, "api_key_refused"],
  ])("whether AUTH_API_KEY opens its administration (%i)", async (status, expected) => {
    const authUrl = await site({}, { "/admin/users?per_page=1": status });
    const found = await findings({ authUrl, authApiKey: "a key" });
    expect(found.map(({ code }) => code)).toContain(expected);
  });
});
