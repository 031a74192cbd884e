import fc from "fast-check";
import { expect, test } from "vitest";

import { parseRegistration } from "./registration.ts";

const redirect_uris = ["https://client.example/callback"];

test("a client that states only its redirect address is confidential and may refresh", () => {
  expect(parseRegistration({ redirect_uris })).toEqual({
    authMethod: "client_secret_basic",
    redirectUris: redirect_uris,
    grantTypes: ["authorization_code", "refresh_token"],
    name: "",
    uri: "",
    logoUri: "",
  });
});

test.each([
  { token_endpoint_auth_method: "none" },
  { client_type: "public" },
  { client_type: "public", token_endpoint_auth_method: "none" },
])("%j makes a public client", (said) => {
  expect(parseRegistration({ redirect_uris, ...said })).toMatchObject({ authMethod: "none" });
});

test.each([
  { client_type: "public", token_endpoint_auth_method: "client_secret_post" },
  { client_type: "confidential", token_endpoint_auth_method: "none" },
  { client_type: "secret" },
  { token_endpoint_auth_method: "private_key_jwt" },
  { client_uri: "not an address" },
  { logo_uri: `https://client.example/${"x".repeat(2_048)}` },
])("refuses %j", (said) => {
  expect(parseRegistration({ redirect_uris, ...said })).toBeTypeOf("string");
});

test("refuses a registration with a reason, or accepts one with a redirect address", () => {
  const anything = fc.record(
    {
      redirect_uris: fc.oneof(fc.anything(), fc.array(fc.webUrl())),
      client_name: fc.anything(),
      grant_types: fc.anything(),
      client_type: fc.anything(),
      token_endpoint_auth_method: fc.anything(),
      client_uri: fc.anything(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anything, (fields) => {
      const registration = parseRegistration(fields);
      if (typeof registration === "string") expect(registration).not.toBe("");
      else expect(registration.redirectUris.length).toBeGreaterThan(0);
    }),
  );
});
