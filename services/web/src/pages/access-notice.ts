import { isLoopback } from "@nutrition/core/loopback";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Profile } from "../clients/account-profile.ts";
import { hasFullAccess } from "../clients/account-profile.ts";

/** An address that needs no quoting in a shell. */
const PLAIN_ADDRESS = /^[\w.+-]{1,64}@[\w.-]{1,190}$/;

/**
 * Explains what an account without premium or beta cannot do. Empty for other accounts and without a profile.
 * On the operator's own machine, it shows the command that gives access.
 */
export function accessNotice(profile: Profile | undefined, baseUrl: string): Markup {
  if (!profile || hasFullAccess(profile)) return markup``;
  return markup`<p class="notice" role="note">Logging food and connecting an assistant need premium or beta
    access, which your account does not have yet. Until it has, an <a href="/settings/keys">API key</a>
    can read your journal. ${whomToAsk(profile, baseUrl)}</p>`;
}

function whomToAsk({ email }: Profile, baseUrl: string): Markup {
  if (!PLAIN_ADDRESS.test(email ?? "") || !isLoopback(baseUrl))
    return markup`Ask whoever runs this service for it.`;
  return markup`To grant it, run this in the service's folder:
    <code>npm run -s admin -- accounts set ${email ?? ""} --premium</code>`;
}
