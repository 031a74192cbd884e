import { SingleFlight } from "@nutrition/core/single-flight";
import type { Request, Response } from "express";

import { getProfile, hasFullAccess } from "../../clients/account-profile.ts";
import { undefinedIfUnavailable } from "../../clients/call-options.ts";
import type { Permission } from "../../domain/permissions.ts";
import { parsePermission } from "../../domain/permissions.ts";
import { formField, queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { AuthorizationRefusal } from "../../identity-provider/identity-provider.ts";
import type { Person } from "../../clients/person.ts";
import type { FormErrors } from "../form-errors.ts";
import type { PendingAuthorization, StoredAuthorization } from "./authorization-store.ts";
import { AuthorizationStore } from "./authorization-store.ts";
import { allow, deny } from "./decide.ts";
import { Decisions } from "./decisions.ts";
import type { Decision } from "./decisions.ts";
import type { Unusable } from "./inspect-authorization.ts";
import { inspectAuthorization } from "./inspect-authorization.ts";
import { returnPage, unusablePage } from "./outcome-view.ts";
import type { ConsentDependencies } from "./dependencies.ts";
import { consentPage } from "./view.ts";

/** Path of the page, which the identity provider sends browsers to. */
export const CONSENT_ROUTE = "/oauth/consent";

const AUTHORIZATION_ID = /^[A-Za-z0-9_-]{8,128}$/;
const SIGN_IN = `/sign-in?return_to=${encodeURIComponent(CONSENT_ROUTE)}`;
const CHOOSE = { decision: "Choose what the assistant may do, or deny it." };

/** Pages of the previous version, which may still be open, sent the permission separately. */
function permissionOf(decision: string, request: Request): Permission | undefined {
  return parsePermission(decision === "allow" ? formField(request, "permission") : decision);
}

/** Runs the consent page: shows the request, records the decision, redirects. */
export class ConsentController {
  readonly #parts: ConsentDependencies;
  readonly #memory: AuthorizationStore;
  /** Inspections in progress: a concurrent reload waits for the same one. */
  readonly #looks = new SingleFlight<Awaited<ReturnType<typeof inspectAuthorization>>>();
  readonly #decisions = new Decisions();

  constructor(dependencies: ConsentDependencies) {
    this.#parts = dependencies;
    this.#memory = new AuthorizationStore(dependencies.cookies);
  }

  /** Shows the request, or redirects if it has already been decided. */
  async ask(request: Request, response: Response): Promise<void> {
    const id = queryField(request, "authorization_id");
    if (id === "") return this.#resume(request, response);
    if (!AUTHORIZATION_ID.test(id)) return sendPage(response, undefined, unusablePage("unusable"));
    const person = (await this.#parts.sessions.findNow(request, response))?.person;
    if (!person) return this.#signInFirst(request, response, id);
    await this.#admit(response, person, async () => {
      await this.#parts.announce(request, response, person);
      const { subject } = person;
      const known =
        (await this.#memory.find(request, { id, subject })) ?? (await this.#look(person, id));
      if ("kind" in known) return this.#refuse(request, response, { person, id, refusal: known });
      await this.#memory.put(request, response, known);
      await this.#show(response, person, known);
    });
  }

  /** Handles the submitted decision. */
  async answer(request: Request, response: Response): Promise<void> {
    const person = (await this.#parts.sessions.findNow(request, response))?.person;
    if (!person) return response.redirect(303, SIGN_IN);
    await this.#admit(response, person, () => this.#settle(request, response, person));
  }

  /** The provider answers only the first inspection, so a visitor's disconnect cancels nothing. */
  #admit(response: Response, person: Person, answer: () => Promise<void>): Promise<void> {
    return this.#parts.admission.admit({ response, person }, answer, { isReading: false });
  }

  async #settle(request: Request, response: Response, person: Person): Promise<void> {
    const id = formField(request, "authorization_id");
    const decision = formField(request, "decision");
    if (decision === "switch") return this.#switchAccount(response, person);
    const { subject } = person;
    const known = await this.#memory.find(request, { id, subject });
    if (!known) return sendPage(response, person, unusablePage("gone"));
    if (known.state === "asked") {
      const decided = await this.#decide(decision, request, { person, asked: known });
      if (!decided) return this.#show(response, person, known, CHOOSE);
      const { answer, outcome } = decided;
      if (answer.kind !== "redirect") {
        return this.#refuse(request, response, { person, id, refusal: answer });
      }
      const { redirectUrl } = answer;
      const settled = { id, subject, state: "settled", outcome, redirectUrl } as const;
      await this.#memory.put(request, response, settled);
    }
    response.redirect(303, `${CONSENT_ROUTE}?authorization_id=${id}`);
  }

  /** Continues where the person was before signing in. */
  async #resume(request: Request, response: Response): Promise<void> {
    const id = await this.#memory.findPending(request);
    if (id === undefined) return sendPage(response, undefined, unusablePage("unusable"));
    response.redirect(303, `${CONSENT_ROUTE}?authorization_id=${id}`);
  }

  async #signInFirst(request: Request, response: Response, id: string): Promise<void> {
    await this.#memory.setPending(request, response, id);
    response.redirect(303, SIGN_IN);
  }

  #look(person: Person, id: string): ReturnType<typeof inspectAuthorization> {
    return this.#looks.run(`${person.subject} ${id}`, () =>
      inspectAuthorization(this.#parts, person, id),
    );
  }

  /** Undefined if the form contains no choice. */
  async #decide(
    decision: string,
    request: Request,
    { person, asked }: { person: Person; asked: PendingAuthorization },
  ): Promise<Decision | undefined> {
    if (decision === "deny") {
      return this.#decisions.once(asked, async () => {
        return { outcome: "denied", answer: await deny(this.#parts, person, asked) };
      });
    }
    const permission = permissionOf(decision, request);
    if (!permission) return undefined;
    return this.#decisions.once(asked, async () => {
      const answer = await allow(this.#parts, person, { asked, permission });
      return { outcome: "allowed", answer };
    });
  }

  async #show(
    response: Response,
    person: Person,
    known: StoredAuthorization,
    errors: FormErrors = {},
  ): Promise<void> {
    if (known.state === "settled") return sendPage(response, person, returnPage(known));
    const hasAccess = hasFullAccess(await getProfile(this.#parts.backends, person));
    const page = consentPage(visitOf(response), { asked: known, person, hasAccess, errors });
    sendPage(response, person, { ...page, status: Object.keys(errors).length > 0 ? 400 : 200 });
  }

  /** If the provider has ended the session, the authorization waits for the next sign-in. */
  async #refuse(
    request: Request,
    response: Response,
    {
      person,
      id,
      refusal,
    }: { person: Person; id: string; refusal: AuthorizationRefusal | Unusable },
  ): Promise<void> {
    if (refusal.kind !== "signed_out") {
      return sendPage(response, person, unusablePage(refusal.kind));
    }
    await this.#parts.sessions.end(response, person);
    await this.#signInFirst(request, response, id);
  }

  async #switchAccount(response: Response, person: Person): Promise<void> {
    await this.#parts.sessions.end(response, person);
    await undefinedIfUnavailable(this.#parts.provider.endSession(person.accessToken));
    sendPage(response, undefined, unusablePage("switched"));
  }
}
