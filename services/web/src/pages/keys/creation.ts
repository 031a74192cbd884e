import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { civilDateIn } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";
import { markup } from "@nutrition/core/markup";
import type { CreateKeyResponse } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Request, Response } from "express";

import { getSettings } from "../../clients/journal-documents.ts";
import { callFor } from "../../clients/person-calls.ts";
import type { KeyForm, KeyWish } from "../../domain/keys.ts";
import { parseKeyForm } from "../../domain/keys.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import type { Person } from "../../sessions/session.ts";
import { SingleFlight } from "../../single-flight.ts";
import type { PageParts } from "../page-parts.ts";
import { newestKeyId } from "./list-view.ts";
import type { KeyLists } from "./lists.ts";
import { secretView } from "./secret-view.ts";

const SENT_TWICE =
  "A key was made after this form was opened. If that was this very form, its text cannot be shown again: revoke that key and create another. To make one more key, send the form again.";

/** Makes keys from the form, and shows each one time. */
export class KeyCreation {
  readonly #parts: PageParts;
  readonly #lists: KeyLists;
  /** Two clicks are one wish; each of them shows the key. */
  readonly #running = new SingleFlight<CreateKeyResponse | undefined>();

  constructor(parts: PageParts, lists: KeyLists) {
    this.#parts = parts;
    this.#lists = lists;
  }

  /** Answers the form with the new key's text, or with the form and what is wrong. */
  async answer(request: Request, response: Response, person: Person): Promise<void> {
    const { backends, clock, baseUrl } = this.#parts;
    const form = readForm(request);
    const { timezone: timeZone } = await getSettings(backends, person);
    const now = clock.now();
    const parsed = parseKeyForm(form, { now, today: civilDateIn(timeZone, now), timeZone });
    if ("errors" in parsed) return this.#refuse({ request, response, person }, form, parsed.errors);
    const seenKeyId = formField(request, "newest_key_id");
    const name = JSON.stringify([person.user.accountId, seenKeyId, form]);
    let made: CreateKeyResponse | undefined;
    try {
      made = await this.#running.run(name, () => this.#make(person, seenKeyId, parsed.wish));
    } catch (error) {
      if (!(error instanceof Failure && error.kind === "failed_precondition")) throw error;
      return this.#refuse({ request, response, person }, form, { name: error.message });
    }
    if (!made) return this.#refuse({ request, response, person }, form, { name: SENT_TWICE });
    const shown = { apiKey: made.apiKey, key: made.key!, remark: markup`` };
    const body = secretView(shown, baseUrl);
    sendPage(response, person, { title: "Your new key", body, scripts: ["copy.js"] });
  }

  /** Undefined when a key was made since the form was opened, so that a reload makes none. */
  async #make(
    person: Person,
    seenKeyId: string,
    { name, scopes, expiresAt }: KeyWish,
  ): Promise<CreateKeyResponse | undefined> {
    if (newestKeyId(await this.#lists.list(person)) !== seenKeyId) return undefined;
    const expiry = expiresAt && { expiresAt: timestampFromDate(expiresAt) };
    const request = { name, scopes: [...scopes], ...expiry };
    return this.#parts.backends.auth.createKey(request, callFor(person));
  }

  async #refuse(
    { request, response, person }: { request: Request; response: Response; person: Person },
    form: KeyForm,
    errors: Record<string, string>,
  ): Promise<void> {
    const status = 400;
    await this.#lists.send(request, response, person, { form, errors, status });
  }
}

function readForm(request: Request): KeyForm {
  return {
    name: formField(request, "name"),
    access: formField(request, "access"),
    expiry: formField(request, "expiry"),
    expiry_date: formField(request, "expiry_date"),
  };
}
