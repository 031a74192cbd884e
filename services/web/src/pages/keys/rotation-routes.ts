import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { SingleFlight } from "@nutrition/core/single-flight";
import type { RotateKeyResponse } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Router } from "express";
import express from "express";

import { getSettings } from "../../clients/journal-documents.ts";
import { callOptionsFor } from "../../clients/call-options.ts";
import { ACTIVE_KEYS_MAX } from "../../domain/keys.ts";
import { signInAgainPath } from "../../http/account-page.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { ViewerTime } from "../moment.ts";
import { momentWithDistance } from "../moment.ts";
import { OVERLAPS, rotateView } from "./confirm-views.ts";
import { isActive } from "./list-view.ts";
import type { KeyLists } from "./lists.ts";
import type { KeysDependencies } from "./dependencies.ts";
import { secretView } from "./secret-view.ts";

const ROUTE = "/settings/keys/:id/rotate";

/** The pages for replacing a key. */
export function rotationRoutes(dependencies: KeysDependencies, lists: KeyLists): Router {
  const { backends, accountPages, clock, baseUrl, drafts } = dependencies;
  const rotations = new SingleFlight<RotateKeyResponse>();
  const router = express.Router({ caseSensitive: true });

  router.get(
    ROUTE,
    accountPages.page(ROUTE, async (request, response, person) => {
      const key = await lists.getActiveKey(person, String(request.params["id"]));
      const keys = await lists.list(person);
      const active = keys.filter((one) => isActive(one, clock.now()));
      const isRoomForBoth = active.length < ACTIVE_KEYS_MAX;
      const draft = await drafts.take(request, response, { person, form: key.id });
      const overlap = draft?.["overlap"];
      const body = rotateView(key, { isRoomForBoth, overlap }, visitOf(response));
      sendPage(response, person, { title: "Replace a key", body });
    }),
  );
  router.post(
    ROUTE,
    accountPages.page(ROUTE, async (request, response, person) => {
      const keyId = String(request.params["id"]);
      const overlapSeconds = parseOverlap(formField(request, "overlap"));
      const { timezone: timeZone } = await getSettings(backends, person);
      // Coalesces double submits; each response shows the key.
      const rotation = rotations.run(`${person.user.accountId} ${keyId}`, () =>
        backends.auth.rotateKey({ keyId, overlapSeconds }, callOptionsFor(person)),
      );
      const rotated = await orRefused(rotation);
      if (rotated === "not_recent") {
        await drafts.save(response, person, {
          form: keyId,
          fields: { overlap: `${overlapSeconds}` },
        });
        return response.redirect(303, signInAgainPath(`/settings/keys/${keyId}/rotate`));
      }
      if (rotated === "repeated")
        return response.redirect(303, "/settings/keys?done=replaced-before");
      const { locale } = visitOf(response);
      const remark = remarkOn(rotated, { timeZone, now: clock.now(), locale });
      const body = secretView({ apiKey: rotated.apiKey, key: rotated.key!, remark }, baseUrl);
      sendPage(response, person, { title: "Your new key", body, scripts: ["copy.js"] });
    }),
  );
  return router;
}

/**
 * Responds with the new key or with the obstacle: the key was already replaced or revoked, for
 * example by the same form, or the person has to sign in again.
 */
async function orRefused(
  rotation: Promise<RotateKeyResponse>,
): Promise<RotateKeyResponse | "repeated" | "not_recent"> {
  try {
    return await rotation;
  } catch (error) {
    if (!(error instanceof Failure && error.kind === "failed_precondition")) throw error;
    return error.reason === "SIGN_IN_NOT_RECENT" ? "not_recent" : "repeated";
  }
}

function parseOverlap(text: string): number {
  if (OVERLAPS.some(([seconds]) => seconds === text)) return Number(text);
  throw new Failure("invalid_argument", "INVALID_OVERLAP", "Choose when the old key ends.");
}

function remarkOn({ predecessor }: RotateKeyResponse, viewer: ViewerTime): Markup {
  if (!predecessor || predecessor.revokedAt || !predecessor.expiresAt) {
    return markup`<p>The old key has ended.</p>`;
  }
  return markup`<p>The old key, <code>${predecessor.prefix}…</code>, ends
    ${momentWithDistance(timestampDate(predecessor.expiresAt), viewer)}.</p>`;
}
