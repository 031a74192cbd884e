import { expect, test } from "vitest";

import { readConfig } from "./config.ts";

const SITE_URL = "http://127.0.0.1:3000";

test.each(["DEPLOYMENT", "NODE_ENV"])(
  "refuses to start when %s is production, whatever else is set",
  (name) => {
    expect(() => readConfig({ SITE_URL, [name]: "production" })).toThrow(
      "does not run in production",
    );
  },
);

test("needs only the address of the site", () => {
  expect(readConfig({ SITE_URL: `${SITE_URL}/` })).toMatchObject({
    host: "127.0.0.1",
    siteUrl: SITE_URL,
    allowedRedirects: [],
    users: [],
  });
});

test("names all invalid variables at once without showing their values", () => {
  const bad = { SITE_URL: "site", USERS: '[{"password":"secret"}]', ACCESS_TOKEN_SECONDS: "0" };
  const read = () => readConfig(bad);
  expect(read).toThrow(/SITE_URL[^]*ACCESS_TOKEN_SECONDS[^]*USERS/);
  expect(read).not.toThrow("secret");
});
