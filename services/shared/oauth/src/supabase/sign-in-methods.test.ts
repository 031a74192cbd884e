import { expect, test } from "vitest";

import { readSignInMethods } from "./sign-in-methods.ts";

test.each([
  [["password"], ["password"]],
  [["password", "totp"], ["password"]],
  [["oauth"], ["third_party"]],
  [["recovery"], ["message"]],
  [["email/signup"], ["message"]],
  [
    ["password", "otp"],
    ["password", "message"],
  ],
  [["web3"], ["other"]],
  [["constructor"], ["other"]],
  [
    ["password", "new-fangled"],
    ["password", "other"],
  ],
  [["totp"], []],
  [[], []],
])("%j is read as %j", (names, methods) => {
  expect(readSignInMethods(names)).toEqual(methods);
});
