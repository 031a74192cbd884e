import { expect, test } from "vitest";

import { parseSender, parseSmtpUrl } from "./mail-settings.ts";

test("an address of a mail server says how to encrypt, where, and as whom to log in", () => {
  expect(parseSmtpUrl("smtps://mail.example.com")).toEqual({
    host: "mail.example.com",
    port: 465,
    isSecure: true,
    isTlsRequired: true,
  });
  const server = parseSmtpUrl("smtp://user%40example.com:p%3A%2Fss@mail.example.com:2525");
  expect(server).toMatchObject({ port: 2_525, isSecure: false, isTlsRequired: true });
  expect(server?.login?.user).toBe("user@example.com");
  expect(server?.login?.password.reveal()).toBe("p:/ss");
});

test("nothing in the address switches off encryption or the check of the certificate", () => {
  const plain =
    "smtp://mail.example.com/?secure=false&requireTLS=false&tls.rejectUnauthorized=false";
  expect(parseSmtpUrl(plain)).toEqual({
    host: "mail.example.com",
    port: 587,
    isSecure: false,
    isTlsRequired: true,
  });
});

test.each(["smtp://127.0.0.1:1025", "smtp://localhost", "smtp://[::1]:25"])(
  "a server on this machine, %s, may do without encryption",
  (url) => expect(parseSmtpUrl(url)).toMatchObject({ isTlsRequired: false }),
);

test.each([
  "",
  "mail.example.com",
  "https://mail.example.com",
  "smtp://",
  "smtp://u:%E0@host",
  "smtp:host",
])("%j is no mail server", (url) => expect(parseSmtpUrl(url)).toBeUndefined());

test.each([
  ["journal@example.com", { name: "", address: "journal@example.com" }],
  ["Our journal <journal@example.com>", { name: "Our journal", address: "journal@example.com" }],
  ["<journal@example.com>", { name: "", address: "journal@example.com" }],
])("%s is a sender", (text, sender) => expect(parseSender(text)).toEqual(sender));

test.each([
  "",
  "journal",
  "a@example.com, b@example.com",
  "A <a@example.com>, B <b@example.com>",
  "A\r\nBcc: b@example.com <a@example.com>",
  "<a@example.com",
  '"a b"@example.com',
])("%j is no sender", (text) => expect(parseSender(text)).toBeUndefined());
