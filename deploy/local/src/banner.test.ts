import { expect, test } from "vitest";

import type { BannerOptions } from "./banner.ts";
import { banner } from "./banner.ts";

const SIGN_IN = { email: "a@example.com", file: "demo.json", inboxUrl: "http://localhost/inbox" };

function bannerFor(
  host: string,
  signIn: BannerOptions["signIn"],
  given: Partial<BannerOptions> = {},
): string {
  const fixed = { baseUrl: "http://localhost:3000", apiKey: "a key", folder: ".data" };
  return banner({ ...fixed, signIn, host, hasColours: false, ...given });
}

test.each(["0.0.0.0", "::", "192.168.1.5", "journal.example", "127.example.com"])(
  "warns when HOST=%s exposes the built-in sign-in to other devices",
  (host) => {
    expect(bannerFor(host, SIGN_IN)).toContain("can sign in as anyone");
  },
);

test.each(["127.0.0.1", "localhost", "::1"])("gives no warning for HOST=%s", (host) => {
  expect(bannerFor(host, SIGN_IN)).not.toContain("WARNING");
});

test("gives no warning with a real identity provider", () => {
  expect(bannerFor("0.0.0.0", undefined)).not.toContain("WARNING");
});

test("shows the address of the request viewer, if it runs", () => {
  const viewerUrl = "http://127.0.0.1:4318";
  expect(bannerFor("localhost", SIGN_IN, { viewerUrl })).toContain(`Observe  ${viewerUrl}\n`);
  expect(bannerFor("localhost", SIGN_IN)).not.toContain("Observe");
});
