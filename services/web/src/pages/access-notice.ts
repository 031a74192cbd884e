import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Profile } from "../clients/account-profile.ts";
import { hasFullAccess } from "../clients/account-profile.ts";

/**
 * Says what an account without premium or beta cannot do yet. Nothing when it can, or when the
 * profile is not known.
 */
export function accessNotice(profile: Profile | undefined): Markup {
  if (!profile || hasFullAccess(profile)) return markup``;
  return markup`<p class="notice" role="note">Logging food and connecting an assistant need premium or beta
    access, which your account does not have yet. Ask whoever runs this service for it. Until then,
    an <a href="/settings/keys">API key</a> can read your journal.</p>`;
}
