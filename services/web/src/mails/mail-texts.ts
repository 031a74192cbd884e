import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Mail } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { MailKind } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

/** The visible content of a mail. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The parts that both forms of a mail are made of. */
interface Draft {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The only link, between the first paragraph and the others. */
  readonly action?: { readonly label: string; readonly address: string };
}

export interface MailContext {
  /** Public URL of the pages, without a trailing slash. */
  readonly baseUrl: string;
  /** The opened link of an invitation; undefined in other mails. */
  readonly link: string | undefined;
}

/**
 * Writes a mail; undefined when it cannot be written: an invitation whose link is too old to be
 * opened, or a kind that a newer version of the auth service knows. Mails contain no text
 * that users choose, so nobody can use them to send messages.
 */
export function writeMail(mail: Mail, context: MailContext): MailText | undefined {
  const draft = draftOf(mail, context);
  return (
    draft && { subject: draft.subject, text: asText(draft, context), html: asHtml(draft, context) }
  );
}

function draftOf({ kind, eraseAt }: Mail, { baseUrl, link }: MailContext): Draft | undefined {
  switch (kind) {
    case MailKind.ERASURE_SCHEDULED:
      return eraseAt && erasureScheduled(timestampDate(eraseAt), baseUrl);
    case MailKind.ERASURE_CANCELLED:
      return erasureCancelled(baseUrl);
    case MailKind.ACCOUNT_ERASED:
      return ACCOUNT_ERASED;
    case MailKind.INVITATION:
      return link === undefined ? undefined : invitation(link);
    default:
      return undefined;
  }
}

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

function erasureScheduled(eraseAt: Date, baseUrl: string): Draft {
  const when = `${MOMENT.format(eraseAt)} UTC`;
  return {
    subject: "Your account is going to be erased",
    paragraphs: [
      `On ${when}, your account and everything in it will be erased for good: your journal, goals and weights, API keys, connected assistants and your sign-in. Until then you can change your mind, or download your data: sign in and choose "Keep my account".`,
      "This was asked for in a browser that was signed in to your account. If that was not you, keep the account, then sign out everywhere and change your password.",
    ],
    action: { label: "Keep my account", address: `${baseUrl}/settings/erase` },
  };
}

function erasureCancelled(baseUrl: string): Draft {
  return {
    subject: "Your account stays",
    paragraphs: [
      "The erasure of your account was cancelled in a browser that was signed in to it. Nothing was erased, and nothing more is needed.",
      "If that was not you, sign out everywhere and change your password.",
    ],
    action: { label: "See who has access", address: `${baseUrl}/settings/access` },
  };
}

const ACCOUNT_ERASED: Draft = {
  subject: "Your account was erased",
  paragraphs: [
    "As you asked, your account and everything in it was erased. This cannot be undone. We keep no copy of your address, and this is our last mail to you.",
  ],
};

function invitation(link: string): Draft {
  return {
    subject: "You are invited to the Nutrition journal",
    paragraphs: [
      "You have an account in a food journal that you write by telling an assistant what you ate. Open the link soon, because it expires, to choose a password and sign in.",
      "The link signs in whoever opens it: do not pass it on. If you expected no invitation, ignore this mail.",
    ],
    action: { label: "Accept the invitation", address: link },
  };
}

function asText({ paragraphs, action }: Draft, { baseUrl }: MailContext): string {
  const [first = "", ...rest] = paragraphs;
  const link = action ? [`${action.label}:\n${action.address}`] : [];
  return [first, ...link, ...rest, `Nutrition journal\n${baseUrl}/`].join("\n\n") + "\n";
}

function asHtml({ subject, paragraphs, action }: Draft, { baseUrl }: MailContext): string {
  const [first = "", ...rest] = paragraphs;
  const paragraph = (text: string): Markup => markup`<p>${text}</p>`;
  return markup`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 36em; margin: 2em auto; padding: 0 1em">
<h1 style="font-size: 1.25em">${subject}</h1>
${paragraph(first)}
${action ? markup`<p><a href="${action.address}"><strong>${action.label}</strong></a></p>` : ""}
${rest.map(paragraph)}
<p><a href="${baseUrl}/">Nutrition journal</a></p>
</body>
</html>
`.html;
}
