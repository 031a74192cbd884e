import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { civilDateIn } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import { markup } from "@nutrition/core/markup";
import { SingleFlight } from "@nutrition/core/single-flight";
import type { CreateKeyResponse } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Request, Response } from "express";

import { getSettings } from "../../clients/journal-documents.ts";
import { callOptionsFor } from "../../clients/call-options.ts";
import type { KeyForm, KeyInput } from "../../domain/keys.ts";
import { keyFormOf, parseKeyForm } from "../../domain/keys.ts";
import { signInAgainPath } from "../../http/account-page.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import type { Person } from "../../clients/person.ts";
import type { KeyLists } from "./lists.ts";
import { CREATION_FORM } from "./lists.ts";
import type { KeysDependencies } from "./dependencies.ts";
import { secretView } from "./secret-view.ts";

const CREATED_BEFORE =
  "This form has already created a key, and its text cannot be shown again. If you did not copy it, revoke that key, then send this form again to create another.";

/** Messages for the auth service's refusals. */
const REFUSALS = new Set(["KEY_LIMIT_REACHED", "KEY_CREATION_LIMIT_REACHED"]);

interface Sent {
  readonly request: Request;
  readonly response: Response;
  readonly person: Person;
  readonly form: KeyForm;
}

/** Creates keys from the form, and shows each exactly once. */
export class KeyCreation {
  readonly #parts: KeysDependencies;
  readonly #lists: KeyLists;
  /** Coalesces double submits; each response shows the key. */
  readonly #running = new SingleFlight<CreateKeyResponse>();

  constructor(dependencies: KeysDependencies, lists: KeyLists) {
    this.#parts = dependencies;
    this.#lists = lists;
  }

  /** Responds with the new key's text, or with the form and its errors. */
  async answer(request: Request, response: Response, person: Person): Promise<void> {
    const { backends, clock, baseUrl } = this.#parts;
    const sent = { request, response, person, form: readForm(request) };
    const { timezone: timeZone } = await getSettings(backends, person);
    const now = clock.now();
    const parsed = parseKeyForm(sent.form, { now, today: civilDateIn(timeZone, now), timeZone });
    if ("errors" in parsed) return this.#refuse(sent, parsed.errors);
    const creationId = formField(request, "creation_id");
    const name = JSON.stringify([person.user.accountId, creationId, sent.form]);
    let made: CreateKeyResponse;
    try {
      made = await this.#running.run(name, () => this.#create(person, creationId, parsed.wish));
    } catch (error) {
      return this.#explain(sent, error);
    }
    const shown = { apiKey: made.apiKey, key: made.key!, remark: markup`` };
    const body = secretView(shown, baseUrl);
    sendPage(response, person, { title: "Your new key", body, scripts: ["copy.js"] });
  }

  async #create(
    person: Person,
    creationId: string,
    { name, scopes, expiresAt }: KeyInput,
  ): Promise<CreateKeyResponse> {
    if (!isUuid(creationId)) {
      const message = "This form is incomplete. Go back, reload the page and try again.";
      throw new Failure("invalid_argument", "FORM_INCOMPLETE", message);
    }
    const expiry = expiresAt && { expiresAt: timestampFromDate(expiresAt) };
    const request = { name, scopes: [...scopes], creationId, ...expiry };
    return this.#parts.backends.auth.createKey(request, callOptionsFor(person));
  }

  /** Shows the form again, after another sign-in if one was required. */
  async #explain(sent: Sent, error: unknown): Promise<void> {
    if (!(error instanceof Failure)) throw error;
    const { response, person, form } = sent;
    if (error.reason === "SIGN_IN_NOT_RECENT") {
      await this.#parts.drafts.save(response, person, { form: CREATION_FORM, fields: { ...form } });
      return response.redirect(303, signInAgainPath("/settings/keys"));
    }
    if (error.reason === "KEY_ALREADY_CREATED") return this.#refuse(sent, { name: CREATED_BEFORE });
    if (REFUSALS.has(error.reason)) return this.#refuse(sent, { name: error.message });
    throw error;
  }

  async #refuse(
    { request, response, person, form }: Sent,
    errors: Record<string, string>,
  ): Promise<void> {
    await this.#lists.send(request, response, person, { form, errors, status: 400 });
  }
}

function readForm(request: Request): KeyForm {
  const fields = ["name", "access", "expiry", "expiry_date"];
  return keyFormOf(Object.fromEntries(fields.map((name) => [name, formField(request, name)])));
}
