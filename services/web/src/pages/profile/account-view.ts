import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Profile } from "../../clients/account-profile.ts";
import { foreign } from "../foreign.ts";
import type { ViewerTime } from "../moment.ts";
import { exactMoment } from "../moment.ts";

/** Shows the account, and how to export or erase everything. */
export function accountSection(profile: Profile, viewer: ViewerTime): Markup {
  const since = profile.created_at === null ? undefined : new Date(profile.created_at);
  return markup`<section class="card" aria-labelledby="account">
    <h2 id="account">Account</h2>
    <dl class="facts roomy">
      <div><dt>Name</dt><dd>${foreign(profile.name ?? "Not given")}</dd></div>
      <div><dt>E-mail</dt><dd>${foreign(profile.email ?? "Not given", 254)}</dd></div>
      <div><dt>Plan</dt><dd>${planOf(profile)}</dd></div>
      ${since ? markup`<div><dt>Member since</dt><dd>${exactMoment(since, viewer)}</dd></div>` : ""}
    </dl>
    <h3>Take your data with you</h3>
    <p><a href="/settings/export">Download</a> a range of days, or everything, as a table (CSV) or
      JSON.</p>
    <h3>Who has access</h3>
    <p><a href="/settings/access">See what has access</a> to your account, end it, or sign out on all
      devices.</p>
    <h3>Erase the account</h3>
    <p><a href="/settings/erase">Have the account and everything in it erased</a>. You can change your
      mind for 7 days.</p>
  </section>`;
}

function planOf({ has_premium: hasPremium, is_beta_tester: isBeta }: Profile): string {
  if (hasPremium && isBeta) return "Premium, beta tester";
  if (hasPremium) return "Premium";
  return isBeta
    ? "Beta tester"
    : "Basic: API keys can read; logging food and assistants need premium or beta";
}
