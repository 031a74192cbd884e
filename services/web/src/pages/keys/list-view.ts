import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { Profile } from "../../clients/account-profile.ts";
import { ACTIVE_KEYS_MAX } from "../../domain/keys.ts";
import type { KeyForm } from "../../domain/keys.ts";
import type { Visit } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorSummary } from "../form-errors.ts";
import type { ViewerTime } from "../moment.ts";
import { createKeyForm } from "./create-form.ts";
import { activeKeyCard, endedKeyRow } from "./key-card.ts";
import { LEAK_REPORT_ROUTE } from "../leak-report/view.ts";
import type { KeyUsage } from "./usage.ts";

const ENDED_SHOWN_MAX = 20;
const NOTHING = markup``;

/** Content of the page of keys. */
export interface KeyList {
  /** All keys, newest first, including ended ones. */
  readonly keys: readonly Key[];
  readonly usage: KeyUsage | undefined;
  /** Undefined when unknown. */
  readonly profile: Profile | undefined;
  readonly form: KeyForm;
  readonly errors: FormErrors;
  readonly notice: Markup;
}

/** The page of keys. */
export function keyListView(list: KeyList, viewer: ViewerTime, visit: Visit): Markup {
  const active = list.keys.filter((key) => isActive(key, viewer.now));
  const ended = list.keys.filter((key) => !isActive(key, viewer.now)).slice(0, ENDED_SHOWN_MAX);
  return markup`<h1>API keys</h1>
    <p class="soft">A key lets a script or an app of yours reach your journal. Anyone who has it can
      do what it may, so share it with nobody. Hosted assistants connect without a key, under
      <a href="/settings/connections">Assistants</a>.</p>
    ${list.notice}
    ${errorSummary(list.errors)}
    <section aria-labelledby="your-keys">
      <h2 id="your-keys">Your keys
        <span class="count">${active.length} of ${ACTIVE_KEYS_MAX} in use</span></h2>
      ${
        active.length === 0
          ? markup`<p class="card soft">You have no key yet. Create the first one below.</p>`
          : markup`<ul class="keys">
              ${active.map((key) => activeKeyCard(key, list.usage, viewer))}
            </ul>`
      }
    </section>
    ${createSection(list, active.length, visit)}
    ${ended.length === 0 ? NOTHING : endedSection(ended, viewer)}
    ${FOUND_A_KEY}`;
}

/** Whether the key is active at that moment. */
export function isActive({ revokedAt, expiresAt }: Key, now: Date): boolean {
  return !revokedAt && (!expiresAt || timestampDate(expiresAt) > now);
}

function createSection(list: KeyList, activeCount: number, visit: Visit): Markup {
  const content =
    activeCount >= ACTIVE_KEYS_MAX
      ? markup`<p>All ${ACTIVE_KEYS_MAX} keys are in use, which is the most that one person may
          have. Revoke one that you do not need, then come back.</p>`
      : createKeyForm(list, visit);
  return markup`<section class="card" aria-labelledby="new-key">
    <h2 id="new-key">Create a key</h2>
    ${content}
  </section>`;
}

function endedSection(ended: readonly Key[], viewer: ViewerTime): Markup {
  return markup`<details class="card">
    <summary>Keys that have ended</summary>
    <table>
      <thead><tr><th scope="col">Key</th><th scope="col">Ended</th></tr></thead>
      <tbody>${ended.map((key) => endedKeyRow(key, viewer))}</tbody>
    </table>
  </details>`;
}

const FOUND_A_KEY = markup`<p class="soft">Found a key somewhere in public, yours or anybody's?
  <a href="${LEAK_REPORT_ROUTE}">Report it</a>, and it ends at once.</p>`;
