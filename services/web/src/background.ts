import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { repeat } from "@nutrition/service/repeat";

import type { Backends } from "./clients/backends.ts";
import type { WebConfig } from "./config.ts";
import type { UpstreamDeletions } from "./connections/upstream-deletions.ts";
import type { Erasures } from "./erasures/erasures.ts";
import { MailOutbox } from "./mails/mail-outbox.ts";
import type { SealedLinks } from "./mails/sealed-links.ts";

/** Interval between checks for deletions that the identity provider has missed. */
const DELETIONS_PAUSE_MS = 10_000;
/** Interval between checks for accounts at the end of their waiting period. */
const ERASURES_PAUSE_MS = 30_000;
/** Interval between checks for mails to send. */
const MAILS_PAUSE_MS = 5_000;

export interface Background {
  backends: Backends;
  deletions: UpstreamDeletions;
  erasures: Erasures;
  links: SealedLinks;
  baseUrl: string;
  clock: Clock;
  logger: Logger;
}

/** Starts the work that no visit waits for. It ends with `resources`. */
export async function startBackground(
  { backends, deletions, erasures, links, baseUrl, clock, logger }: Background,
  mail: WebConfig["mail"],
  resources: AsyncDisposableStack,
): Promise<void> {
  const start = (name: string, pauseMs: number, work: () => Promise<void>) =>
    resources.use(repeat(work, { name, pauseMs, clock, logger }));
  start("upstream deletions", DELETIONS_PAUSE_MS, () => deletions.finishDue());
  start("erasures", ERASURES_PAUSE_MS, () => erasures.finishDue());
  if (!mail) return;
  // Imported here, so that a service without a mail server does not spend memory on its client.
  const { SmtpMailer } = await import("./mails/smtp-mailer.ts");
  const mailer = new SmtpMailer(mail.server, mail.sender);
  const outbox = new MailOutbox({ backends, mailer, links, baseUrl, logger });
  start("mails", MAILS_PAUSE_MS, () => outbox.sendDue());
  // Disposed first, so that a slow mail server does not delay the end of the process.
  resources.use(outbox);
}
