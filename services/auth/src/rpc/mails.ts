import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import type { AuthService, MailSchema } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { MailKind, MailOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { Mail } from "../domain/mail.ts";
import { parseSealedLink } from "../domain/mail.ts";
import { parseLeasesMax } from "../domain/upstream-deletion.ts";
import { queueInvitation } from "../operations/mails.ts";
import type { Lease } from "../store/lease.ts";
import * as store from "../store/mail-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { parseId } from "./target-account.ts";

/** Lets the pages send the mails that wait in the outbox. */
export function mailHandlers({ database }: Dependencies) {
  return {
    async queueInvitation({ email, sealedLink }) {
      return { queued: await queueInvitation(database, email, parseSealedLink(sealedLink)) };
    },
    async takeMails({ max }) {
      const taken = await store.takeMails(database, parseLeasesMax(max));
      return { mails: taken.map(mailMessage) };
    },
    async finishMail({ id, leaseId, outcome }) {
      const lease = { id: parseId(id, "id"), leaseId: parseId(leaseId, "lease_id") };
      return { recorded: await record(lease, outcome) };
    },
  } satisfies Handlers<typeof AuthService>;

  function record(lease: Lease, outcome: MailOutcome): Promise<boolean> {
    switch (outcome) {
      case MailOutcome.SENT:
      case MailOutcome.GIVEN_UP:
        return store.closeLeasedMail(database, lease);
      case MailOutcome.RETRY:
        return store.releaseLeasedMail(database, lease);
      default:
        throw new Failure("invalid_argument", "INVALID_OUTCOME", "outcome is required.");
    }
  }
}

const KINDS = {
  erasure_scheduled: MailKind.ERASURE_SCHEDULED,
  erasure_cancelled: MailKind.ERASURE_CANCELLED,
  account_erased: MailKind.ACCOUNT_ERASED,
  invitation: MailKind.INVITATION,
} as const;

function mailMessage(mail: Mail): MessageInitShape<typeof MailSchema> {
  const { id, leaseId, recipient, eraseAt, sealedLink, attempts } = mail;
  return {
    id,
    leaseId,
    kind: KINDS[mail.kind],
    recipient,
    ...(eraseAt && { eraseAt: timestampFromDate(eraseAt) }),
    sealedLink: sealedLink ?? new Uint8Array(),
    attempts,
  };
}
