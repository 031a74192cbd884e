import { isUuid } from "@nutrition/core/ids";
import { Router } from "express";

import { ApiError, injectedFault } from "../errors.ts";
import type { Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { clientCard } from "../tokens/claims.ts";
import { hashPassword, isPassword } from "../tokens/passwords.ts";
import { checkPassword, readMetadata } from "./new-password.ts";
import { fieldsOf, jsonBody, queryOf, readBearer } from "./request.ts";
import { userView } from "./user-view.ts";

/** A person's account. A client's token opens it as well as the person's own, as upstream. */
export function userRoutes(provider: Provider): Router {
  const { directory, save } = provider;
  const router = Router();
  router.get("/user", async (request, response) => {
    const { user } = await readBearer(request, provider);
    response.json(userView(user));
  });
  router.put("/user", jsonBody, async (request, response) => {
    const { user, session } = await readBearer(request, provider);
    const fields = fieldsOf(request);
    const metadata = readMetadata(fields);
    if (fields["email"] !== undefined) {
      throw new ApiError(400, "validation_failed", "The stand-in cannot change an e-mail address");
    }
    if (fields["password"] !== undefined) {
      await setPassword(user, checkPassword(fields["password"]));
      directory.deleteSessions(({ id, userId }) => userId === user.id && id !== session.id);
    }
    user.metadata = { ...user.metadata, ...metadata };
    user.updatedAt = provider.clock.now().toISOString();
    await save();
    response.json(userView(user));
  });
  return router;
}

async function setPassword(user: User, password: string): Promise<void> {
  if (await isPassword(password, user.passwordHash)) {
    const message = "New password should be different from the old password.";
    throw new ApiError(422, "same_password", message);
  }
  user.passwordHash = await hashPassword(password);
}

/** What a person allowed clients, and how they take it back. */
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
