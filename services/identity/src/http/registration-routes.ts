import { randomUUID } from "node:crypto";

import { Router } from "express";

import type { Registration } from "../domain/registration.ts";
import { parseRegistration } from "../domain/registration.ts";
import { ApiError } from "../errors.ts";
import type { Provider } from "../provider.ts";
import type { Client } from "../records/records.ts";
import { hashClientSecret, newClientSecret } from "../tokens/client-secrets.ts";
import { fieldsOf, jsonBody } from "./request.ts";

/** Open client registration (RFC 7591). */
export function registrationRoutes({ clock, directory, save }: Provider): Router {
  const router = Router();
  router.post("/oauth/clients/register", jsonBody, async (request, response) => {
    const registration = parseRegistration(fieldsOf(request));
    if (typeof registration === "string")
      throw new ApiError(400, "validation_failed", registration);
    const secret = registration.authMethod === "none" ? undefined : newClientSecret();
    const client: Client = {
      ...registration,
      id: randomUUID(),
      ...(secret === undefined ? {} : { secretHash: hashClientSecret(secret) }),
      createdAt: clock.now().toISOString(),
    };
    if (!directory.insertClient(client)) {
      throw new ApiError(429, "over_request_rate_limit", "There are too many clients");
    }
    await save();
    response.status(201).json({
      client_id: client.id,
      ...(secret === undefined ? {} : { client_secret: secret }),
      ...registrationView(registration),
      registration_type: "dynamic",
      created_at: client.createdAt,
      updated_at: client.createdAt,
    });
  });
  return router;
}

function registrationView({
  authMethod,
  redirectUris,
  grantTypes,
  name,
  uri,
  logoUri,
}: Registration) {
  return {
    client_type: authMethod === "none" ? "public" : "confidential",
    redirect_uris: redirectUris,
    token_endpoint_auth_method: authMethod,
    grant_types: grantTypes,
    response_types: ["code"],
    ...(name === "" ? {} : { client_name: name }),
    ...(uri === "" ? {} : { client_uri: uri }),
    ...(logoUri === "" ? {} : { logo_uri: logoUri }),
  };
}
