import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Profile } from "../clients/account-profile.ts";
import { hasFullAccess } from "../clients/account-profile.ts";

/**
 * Explains what an account without premium or beta cannot do. Empty for other accounts, and when
 * the profile is not available.
 */
export function accessNotice(profile: Profile | undefined): Markup {
  if (!profile || hasFullAccess(profile)) return markup``;
  return markup`<p class="notice" role="note">Logging food and connecting an assistant need premium or beta
    access, which your account does not have yet. Ask whoever runs this service for it. Until then,
    an <a href="/settings/keys">API key</a> can read your journal.</p>`;
}
