import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { RotateKeyResponse } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Router } from "express";
import express from "express";

import { getSettings } from "../../clients/journal-documents.ts";
import { callFor } from "../../clients/person-calls.ts";
import { ACTIVE_KEYS_MAX } from "../../domain/keys.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { Here } from "../moment.ts";
import { momentWithDistance } from "../moment.ts";
import { SingleFlight } from "../../single-flight.ts";
import type { PageParts } from "../page-parts.ts";
import { OVERLAPS, rotateView } from "./confirm-views.ts";
import { isActive } from "./list-view.ts";
import type { KeyLists } from "./lists.ts";
import { secretView } from "./secret-view.ts";

const ROUTE = "/settings/keys/:id/rotate";

/** The pages on which a key is replaced. */
export function rotationRoutes(parts: PageParts, lists: KeyLists): Router {
  const { backends, accountPages, clock, baseUrl } = parts;
  const rotations = new SingleFlight<RotateKeyResponse>();
  const router = express.Router({ caseSensitive: true });

  router.get(
    ROUTE,
    accountPages.page(ROUTE, async (request, response, person) => {
      const key = await lists.getActiveKey(person, String(request.params["id"]));
      const keys = await lists.list(person);
      const active = keys.filter((one) => isActive(one, clock.now()));
      const body = rotateView(key, active.length < ACTIVE_KEYS_MAX, visitOf(response));
      sendPage(response, person, { title: "Replace a key", body });
    }),
  );
  router.post(
    ROUTE,
    accountPages.page(ROUTE, async (request, response, person) => {
      const keyId = String(request.params["id"]);
      const overlapSeconds = parseOverlap(formField(request, "overlap"));
      const { timezone: timeZone } = await getSettings(backends, person);
      // Two clicks are one wish; each of them shows the key.
      const rotation = rotations.run(`${person.user.accountId} ${keyId}`, () =>
        backends.auth.rotateKey({ keyId, overlapSeconds }, callFor(person)),
      );
      const rotated = await orRepeated(rotation);
      if (!rotated) return response.redirect(303, "/settings/keys?done=replaced-before");
      const remark = remarkOn(rotated, { timeZone, now: clock.now() });
      const body = secretView({ apiKey: rotated.apiKey, key: rotated.key!, remark }, baseUrl);
      sendPage(response, person, { title: "Your new key", body, scripts: ["copy.js"] });
    }),
  );
  return router;
}

/** Undefined when the key was replaced or ended before, such as by the same form. */
async function orRepeated(
  rotation: Promise<RotateKeyResponse>,
): Promise<RotateKeyResponse | undefined> {
  try {
    return await rotation;
  } catch (error) {
    if (error instanceof Failure && error.kind === "failed_precondition") return undefined;
    throw error;
  }
}

function parseOverlap(text: string): number {
  if (OVERLAPS.some(([seconds]) => seconds === text)) return Number(text);
  throw new Failure("invalid_argument", "INVALID_OVERLAP", "Choose when the old key ends.");
}

function remarkOn({ predecessor }: RotateKeyResponse, here: Here): Markup {
  if (!predecessor || predecessor.revokedAt || !predecessor.expiresAt) {
    return markup`<p>The old key has ended.</p>`;
  }
  return markup`<p>The old key, <code>${predecessor.prefix}…</code>, ends
    ${momentWithDistance(timestampDate(predecessor.expiresAt), here)}.</p>`;
}
