import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { User } from "../records/records.ts";
import type { Page } from "./page.ts";

/** Simulated third parties. */
export const STAND_INS: Readonly<Record<string, string>> = { google: "Google", github: "GitHub" };

export interface SignInPageOptions {
  flowId: string;
  provider: string;
  /** Users to offer. */
  users: readonly User[];
}

/** Lets a person sign in as anybody. */
export function signInPage({ flowId, provider, users }: SignInPageOptions): Page {
  const flow = markup`<input type="hidden" name="flow" value="${flowId}">`;
  return {
    title: `Stand-in for ${STAND_INS[provider] ?? provider}`,
    body: markup`
${users.map((user) => continueAs(user, flow))}
<h2>Somebody else</h2>
<form class="other" method="post">
${flow}
<label>E-mail address <input type="email" name="email" required maxlength="255" autocomplete="email"></label>
<label>Name <input name="name" maxlength="100" autocomplete="name"></label>
<button class="main">Continue</button>
</form>
<form method="post">
${flow}
<button name="action" value="cancel">Cancel</button>
</form>`,
  };
}

function continueAs({ email, metadata }: User, flow: Markup): Markup {
  const name = typeof metadata["name"] === "string" ? metadata["name"] : "";
  return markup`
<form method="post">
${flow}
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="name" value="${name}">
<button>Continue as ${name === "" ? email : `${name} (${email})`}</button>
</form>`;
}
