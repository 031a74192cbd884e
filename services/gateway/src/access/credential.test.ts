import fc from "fast-check";
import { expect, it } from "vitest";

import { readCredential } from "./credential.ts";

const token = fc.stringMatching(/^[A-Za-z0-9\-._~+/]{1,200}={0,2}$/);

it("accepts any bearer token unchanged, and distinguishes keys from tokens by their prefix", () => {
  fc.assert(
    fc.property(token, fc.boolean(), (rest, isKey) => {
      const text = isKey ? `service_live_${rest}` : `x${rest}`;
      // Keys contain an underscore, which is not in the alphabet of RFC 6750.
      expect(readCredential({ authorization: `Bearer ${text}` })).toEqual({
        kind: isKey ? "api_key" : "access_token",
        text,
      });
    }),
  );
});

it("never reads a credential from a header with more than one", () => {
  fc.assert(
    fc.property(token, token, fc.constantFrom(" ", ", ", "\t", ",Bearer "), (one, two, between) => {
      const credential = readCredential({ authorization: `Bearer ${one}${between}${two}` });
      expect(credential).toMatchObject({ code: "invalid_token" });
    }),
  );
});

it("refuses two headers unless they are equal", () => {
  fc.assert(
    fc.property(token, token, (one, two) => {
      const headers = { authorization: `Bearer ${one}`, "x-service-api-key": two };
      expect("code" in readCredential(headers)).toBe(one !== two);
    }),
  );
});

it("treats an empty key header as absent", () => {
  const empty = { "x-service-api-key": "" };
  expect(readCredential(empty)).toMatchObject({ code: "missing_credentials" });
  expect(readCredential({ ...empty, authorization: "Bearer abc" })).toMatchObject({ text: "abc" });
});
