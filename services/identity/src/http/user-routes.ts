import { randomInt } from "node:crypto";

import { isUuid } from "@nutrition/core/ids";
import { Router } from "express";

import { ApiError, injectedFault } from "../errors.ts";
import { beginEmailChange } from "../flows/email-change.ts";
import { sendMail } from "../flows/mails.ts";
import { changePassword } from "../flows/password-change.ts";
import type { Provider } from "../provider.ts";
import { clientCard } from "../tokens/claims.ts";
import { limitByAddress } from "./address-limits.ts";
import { checkEmail, checkPassword, readMetadata } from "./new-password.ts";
import { fieldsOf, jsonBody, queryOf, readBearer, textOf } from "./request.ts";
import { userView } from "./user-view.ts";

/**
 * A person's account. Like upstream, these routes do not check whether the token belongs to a
 * client; only the settings keep clients out.
 */
export function userRoutes(provider: Provider): Router {
  const { save } = provider;
  const router = Router();
  router.get("/user", async (request, response) => {
    const { user } = await readBearer(request, provider);
    response.json(userView(user));
  });
  router.put("/user", limitByAddress(provider, "user"), jsonBody, async (request, response) => {
    const bearer = await readBearer(request, provider);
    const fields = fieldsOf(request);
    const { user } = bearer;
    const metadata = readMetadata(fields);
    if (fields["password"] !== undefined) {
      const password = checkPassword(fields["password"]);
      const currentPassword = textOf(fields, "current_password");
      const nonce = textOf(fields, "nonce");
      await changePassword(provider, bearer, { password, currentPassword, nonce });
    }
    if (fields["email"] !== undefined)
      beginEmailChange(provider, user, checkEmail(fields["email"]));
    user.metadata = { ...user.metadata, ...metadata };
    user.updatedAt = provider.clock.now().toISOString();
    await save();
    response.json(userView(user));
  });
  router.get("/reauthenticate", async (request, response) => {
    const { user } = await readBearer(request, provider);
    const nonce = String(randomInt(1_000_000)).padStart(6, "0");
    provider.pending.reauthentications.set(user.id, nonce);
    const text = `${nonce} is your code to change your password. If you did not ask for it, do nothing.`;
    sendMail(provider, { to: user.email, subject: "Your code", text });
    response.json({});
  });
  router.get("/user/identities/authorize", async (request) => {
    await readBearer(request, provider);
    throw new ApiError(404, "manual_linking_disabled", "Manual linking is disabled");
  });
  return router;
}

/** Lists and deletes a person's grants to clients. */
export function grantRoutes(provider: Provider): Router {
  const { directory, faults, save } = provider;
  const router = Router();
  router.get("/user/oauth/grants", async (request, response) => {
    if (faults.isGrantsApiFailing) throw injectedFault();
    const { user } = await readBearer(request, provider);
    const grants = directory.listGrants(user.id).flatMap(({ clientId, scopes, grantedAt }) => {
      const client = directory.getClient(clientId);
      return client ? [{ client: clientCard(client), scopes, granted_at: grantedAt }] : [];
    });
    response.json(grants);
  });
  router.delete("/user/oauth/grants", async (request, response) => {
    if (faults.isGrantsApiFailing) throw injectedFault();
    const { user } = await readBearer(request, provider);
    const clientId = queryOf(request, "client_id");
    if (!isUuid(clientId)) {
      const message =
        clientId === "" ? "client_id query parameter is required" : "invalid client_id";
      throw new ApiError(400, "validation_failed", message);
    }
    const grant = directory.getGrant(user.id, clientId);
    if (!grant) throw new ApiError(404, "oauth_consent_not_found", "No active grant found");
    directory.deleteGrant(grant);
    directory.deleteSessions((one) => one.userId === user.id && one.clientId === clientId);
    await save();
    response.status(204).end();
  });
  return router;
}
