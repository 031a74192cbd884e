import { expect, test } from "vitest";

import { reasonOfMissingMail } from "./missing-mail.ts";

const answer = (status: number, errorCode: string, message: string) => ({
  status,
  errorCode,
  body: { code: errorCode, message },
});
const LIMIT = "over_email_send_rate_limit";

// The messages of Supabase Auth v2.196.0; older releases say "once every 60 seconds".
test.each([
  ["pause", 429, LIMIT, "For security purposes, you can only request this after 58 seconds."],
  ["pause", 429, LIMIT, "For security purposes, you can only request this once every 60 seconds"],
  ["quota", 429, LIMIT, "email rate limit exceeded"],
  ["quota", 429, LIMIT, "in words of a later release"],
  ["failure", 500, "unexpected_failure", "Error sending confirmation email"],
  [undefined, 429, "over_request_rate_limit", "Request rate limit reached"],
  [undefined, 422, "weak_password", "Password should be at least 6 characters."],
  [undefined, 200, "", ""],
])("a mail is missing because of %s after %i %s %j", (reason, status, code, message) => {
  expect(reasonOfMissingMail(answer(status, code, message))).toBe(reason);
});
