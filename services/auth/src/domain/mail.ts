import { Failure } from "@nutrition/core/failure";

/** The subject of a mail. */
export type MailKind = "erasure_scheduled" | "erasure_cancelled" | "account_erased" | "invitation";

/** A mail of the outbox, leased to one caller. */
export interface Mail {
  /** The same for every attempt, so that a repeated mail can be recognized. */
  id: string;
  leaseId: string;
  kind: MailKind;
  recipient: string;
  /** When the erasure begins; null for mails about something else. */
  eraseAt: Date | null;
  /** The link of an invitation, sealed by the pages; null for other mails. */
  sealedLink: Buffer | null;
  /** Number of leases, including this one. */
  attempts: number;
}

const SEALED_LINK_BYTES_MAX = 4_096;

/** Validates a sealed link for storage; `invalid_argument` when it is empty or too long. */
export function parseSealedLink(bytes: Uint8Array): Buffer {
  if (bytes.length > 0 && bytes.length <= SEALED_LINK_BYTES_MAX) return Buffer.from(bytes);
  throw new Failure(
    "invalid_argument",
    "INVALID_SEALED_LINK",
    `sealed_link must have 1 to ${SEALED_LINK_BYTES_MAX} bytes.`,
  );
}
