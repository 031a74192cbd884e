import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { MailKind, MailSchema } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { expect, test } from "vitest";

import { writeMail } from "./mail-texts.ts";

const baseUrl = "https://journal.example.com";
const eraseAt = timestampFromDate(new Date("2026-11-29T21:50:00Z"));

function write(kind: MailKind, link?: string) {
  return writeMail(create(MailSchema, { kind, eraseAt }), { baseUrl, link });
}

test("the mail about an erasure says when it happens and where to stop it", () => {
  const mail = write(MailKind.ERASURE_SCHEDULED)!;
  expect(mail.text).toMatch(/^On Sunday,? 29 November 2026(,| at) 21:50 UTC, your account/);
  for (const body of [mail.text, mail.html]) expect(body).toContain(`${baseUrl}/settings/erase`);
});

test("a link cannot leave its attribute in the HTML", () => {
  const mail = write(MailKind.INVITATION, `${baseUrl}/"><script>alert(1)</script>&x`)!;
  expect(mail.html).not.toContain("<script>");
  expect(mail.html).toContain("&quot;&gt;&lt;script&gt;");
});

test("no mail loads anything from anywhere", () => {
  for (const kind of [1, 2, 3, 4] as MailKind[]) {
    const mail = write(kind, `${baseUrl}/link`)!;
    expect(mail.html).not.toMatch(/<(?:img|link|script|iframe|style)|url\(|\ssrc=/i);
    expect(mail.subject).toMatch(/^[\x20-\x7e]{10,60}$/);
  }
});

test("what cannot be written is not: a link too old, an erasure without a date, an unknown kind", () => {
  expect(write(MailKind.INVITATION)).toBeUndefined();
  const undated = create(MailSchema, { kind: MailKind.ERASURE_SCHEDULED });
  expect(writeMail(undated, { baseUrl, link: undefined })).toBeUndefined();
  expect(write(99 as MailKind)).toBeUndefined();
});
