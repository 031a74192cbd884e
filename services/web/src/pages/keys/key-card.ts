import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { KeyMark } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { describeScopes, expiresSoon } from "../../domain/keys.ts";
import { foreign } from "../foreign.ts";
import type { ViewerTime } from "../moment.ts";
import { exactMoment, momentWithDistance } from "../moment.ts";
import type { KeyUsage } from "./usage.ts";
import { usageDrawing } from "./usage.ts";

const NOTHING = markup``;

/** List entry of an active key. */
export function activeKeyCard(key: Key, usage: KeyUsage | undefined, viewer: ViewerTime): Markup {
  const expiresAt = dateOf(key.expiresAt);
  const isReplaced = key.successorId !== "";
  return markup`<li class="card key">
    <div class="key-head">
      <h3>${keyName(key)}</h3>
      ${marksOf(key, viewer)}
    </div>
    <p><code>${key.prefix}…</code></p>
    <dl class="facts">
      ${fact("Permission", markup`${describeScopes(key.scopes)}`)}
      ${fact("Created", momentWithDistance(timestampDate(key.createdAt!), viewer))}
      ${fact("Last used", lastUse(key, viewer))}
      ${fact("Expires", expiresAt ? momentWithDistance(expiresAt, viewer) : markup`Never`)}
    </dl>
    <div class="key-foot">
      ${usageDrawing(usage, key.id)}
      <div class="actions">
        ${action(key, "rename", "Rename")}
        ${isReplaced ? NOTHING : action(key, "rotate", "Replace")}
        ${action(key, "revoke", "Revoke")}
      </div>
    </div>
  </li>`;
}

/** List entry of a key that has ended. */
export function endedKeyRow(key: Key, viewer: ViewerTime): Markup {
  const endedAt = timestampDate((key.revokedAt ?? key.expiresAt)!);
  const how = key.revokedAt
    ? key.leakReportedAt
      ? "Revoked, found in public"
      : "Revoked"
    : "Expired";
  return markup`<tr>
    <td>${keyName(key)}<br /><code>${key.prefix}…</code></td>
    <td>${how} ${exactMoment(endedAt, viewer)}</td>
  </tr>`;
}

/** The name its owner gave it. */
export function keyName({ name, prefix }: Key): Markup {
  return name === "" ? markup`<code>${prefix}…</code>` : foreign(name);
}

function action(key: Key, verb: "rename" | "rotate" | "revoke", label: string): Markup {
  const kind = verb === "revoke" ? "quiet danger" : "quiet";
  return markup`<a class="button ${kind}" href="/settings/keys/${key.id}/${verb}"
    >${label}<span class="unseen"> ${keyName(key)}</span></a>`;
}

function fact(name: string, value: Markup): Markup {
  return markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function lastUse({ lastUsedAt, lastUsedNetwork }: Key, viewer: ViewerTime): Markup {
  if (!lastUsedAt) return markup`Never`;
  const when = momentWithDistance(timestampDate(lastUsedAt), viewer);
  if (lastUsedNetwork === "") return when;
  return markup`${when}
    <details>
      <summary>From where?</summary>
      <p class="hint">We do not keep the address, only a code that stays the same while the address does:
        <code>${lastUsedNetwork}</code>. Home and mobile
        connections change their address now and then, servers hardly ever.</p>
    </details>`;
}

function marksOf(key: Key, { now }: ViewerTime): Markup {
  const marks: string[] = [];
  if (key.successorId !== "") marks.push("Replaced");
  if (expiresSoon(dateOf(key.expiresAt), now)) marks.push("Expires soon");
  if (key.mark === KeyMark.NEVER_USED) marks.push("Never used");
  if (key.mark === KeyMark.IDLE) marks.push("Not used for 90 days");
  return markup`${marks.map((mark) => markup`<span class="tag attention">${mark}</span> `)}`;
}

function dateOf(moment: Timestamp | undefined): Date | undefined {
  return moment && timestampDate(moment);
}
