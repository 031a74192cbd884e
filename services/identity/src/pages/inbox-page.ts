import { markup } from "@nutrition/core/markup";

import type { SentMail } from "../records/mailbox.ts";
import type { Page } from "./page.ts";

/** The mails that a real provider would have sent, newest first. */
export function inboxPage(mails: readonly SentMail[]): Page {
  return {
    title: "Inbox",
    body:
      mails.length === 0
        ? markup`<p>No mail yet. Mails of this provider appear here instead of being sent; reload the page to see new ones.</p>`
        : markup`${mails.toReversed().map(mailArticle)}`,
  };
}

function mailArticle({ to, subject, text, link, sentAt }: SentMail) {
  return markup`
<article>
<h2>${subject}</h2>
<p class="facts">To ${to}, ${sentAt.toISOString()}</p>
<p>${text}</p>
${link === undefined ? "" : markup`<p><a href="${link}" rel="noreferrer">${link}</a></p>`}
</article>`;
}
