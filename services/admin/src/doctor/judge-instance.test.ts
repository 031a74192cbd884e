import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { InspectResponseSchema } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { expect, test } from "vitest";

import { judgeInstance } from "./judge-instance.ts";

const NOW = new Date("2026-11-28T12:00:00Z");
const HOUR_MS = 3_600_000;

function mailFindings(refusedAt: Date | undefined) {
  const mailQuotaRefusedAt = refusedAt && timestampFromDate(refusedAt);
  const facts = create(InspectResponseSchema, {
    service: "web",
    ...(mailQuotaRefusedAt && { mailQuotaRefusedAt }),
  });
  const instance = { service: "web", name: "web", serving: true, facts, clockOffsetMs: 0 } as const;
  return judgeInstance(instance, NOW).filter(({ code }) => code === "mail_quota_used_up");
}

test("a quota of mails that was used up within a day is a warning that says when", () => {
  const [finding] = mailFindings(new Date(NOW.getTime() - HOUR_MS));
  expect(finding).toMatchObject({ level: "warning", subject: "web" });
  expect(finding?.message).toContain("At 2026-11-28 11:00 UTC, the identity provider sent no mail");
  expect(mailFindings(new Date(NOW.getTime() - 25 * HOUR_MS))).toEqual([]);
  expect(mailFindings(undefined)).toEqual([]);
});
