import { Failure } from "@nutrition/core/failure";
import { markup } from "@nutrition/core/markup";
import type { Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Request, Response } from "express";

import { getProfile } from "../../clients/account-profile.ts";
import { getSettings } from "../../clients/journal-documents.ts";
import { callOptionsFor, undefinedIfUnavailable } from "../../clients/call-options.ts";
import type { KeyForm } from "../../domain/keys.ts";
import { EMPTY_KEY_FORM, keyFormOf } from "../../domain/keys.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { Person } from "../../clients/person.ts";
import type { FormErrors } from "../form-errors.ts";
import { doneNotice } from "../notice.ts";
import { isActive, keyListView } from "./list-view.ts";
import type { KeysDependencies } from "./dependencies.ts";
import { findKeyUsage } from "./usage.ts";

const NOTICES = {
  revoked: "The key is revoked. Whatever used it stops working within seconds.",
  "replaced-before":
    "The key has been replaced or has ended already, so nothing was changed. If you never saw the new key, revoke it here.",
  renamed: "The key has its new name. Nothing else about it has changed.",
};

/** A form to show again with its errors. */
export interface RefusedForm {
  readonly form: KeyForm;
  readonly errors: FormErrors;
  readonly status: number;
}

/** Name of the draft of the form for a new key, kept while the person signs in again. */
export const CREATION_FORM = "create-key";

const KEPT_FORM = markup`<p class="notice" role="status">You are signed in again. Check the form
  <a href="#new-key">below</a>, then submit it again.</p>`;

/** Shows the keys of a person. */
export class KeyLists {
  readonly #parts: KeysDependencies;

  constructor(dependencies: KeysDependencies) {
    this.#parts = dependencies;
  }

  /** Lists all keys of the person, newest first, including ended ones. */
  async list(person: Person): Promise<readonly Key[]> {
    const { keys } = await this.#parts.backends.auth.listKeys(
      { includeInactive: true },
      callOptionsFor(person),
    );
    return keys;
  }

  /** Finds an active key of the person; fails with `not_found` if there is none. */
  async getActiveKey(person: Person, keyId: string): Promise<Key> {
    const now = this.#parts.clock.now();
    const key = (await this.list(person)).find((one) => one.id === keyId && isActive(one, now));
    if (key) return key;
    throw new Failure("not_found", "KEY_NOT_FOUND", "You have no working key at this address.");
  }

  /** Responds with the page of keys. */
  async send(
    request: Request,
    response: Response,
    person: Person,
    refused?: RefusedForm,
  ): Promise<void> {
    const { backends, clock, drafts } = this.#parts;
    const now = clock.now();
    const draft = await drafts.take(request, response, { person, form: CREATION_FORM });
    const [keys, usage, profile, { timezone: timeZone }] = await Promise.all([
      this.list(person),
      findKeyUsage(backends, person, now),
      undefinedIfUnavailable(getProfile(backends, person)),
      getSettings(backends, person),
    ]);
    const fresh = { form: draft ? keyFormOf(draft) : EMPTY_KEY_FORM, errors: {}, status: 200 };
    const { form, errors, status } = refused ?? fresh;
    const notice = draft ? KEPT_FORM : doneNotice(request, NOTICES);
    const list = { keys, usage, profile, form, errors, notice };
    const visit = visitOf(response);
    const body = keyListView(list, { timeZone, now, locale: visit.locale }, visit);
    sendPage(response, person, { title: "API keys", body, status });
  }
}
