import { createHash, timingSafeEqual } from "node:crypto";

import { isUuid } from "@nutrition/core/ids";
import type { Request, RequestHandler } from "express";
import { Router } from "express";

import { chooseReturn, withParameters } from "../domain/redirect.ts";
import { ApiError } from "../errors.ts";
import { insertUser } from "../flows/accounts.ts";
import { addInvitation } from "../flows/mail-links.ts";
import type { Provider } from "../provider.ts";
import { hashPassword, randomPassword } from "../tokens/passwords.ts";
import { checkEmail, readMetadata } from "./new-password.ts";
import { fieldsOf, jsonBody, textOf } from "./request.ts";
import { userView } from "./user-view.ts";

/** The administrator's calls: creating, inviting and deleting people. */
export function adminRoutes(provider: Provider): Router {
  const { directory, save } = provider;
  const router = Router();
  router.use("/admin", onlyAdministrators(provider));
  router.post("/admin/generate_link", jsonBody, async (request, response) => {
    const fields = fieldsOf(request);
    if (fields["type"] !== "invite")
      throw new ApiError(400, "validation_failed", "Unsupported type: this provider only invites");
    const email = checkEmail(fields["email"]);
    const known = directory.findUserByEmail(email);
    if (known?.emailConfirmedAt !== undefined) throw emailExists();
    const invited = { email, metadata: {}, provider: "email", isConfirmed: false };
    const user = known ?? insertUser(provider, invited);
    const returnTo = chooseReturn(textOf(fields, "redirect_to"), provider);
    const token = addInvitation(provider, user, returnTo);
    await save();
    const parameters = { token, type: "invite", redirect_to: returnTo };
    response.json({
      ...userView(user),
      action_link: withParameters(`${provider.issuer}/verify`, parameters),
      hashed_token: token,
      verification_type: "invite",
      redirect_to: returnTo,
    });
  });
  router.post("/admin/users", jsonBody, async (request, response) => {
    const fields = fieldsOf(request);
    const email = checkEmail(fields["email"]);
    if (directory.findUserByEmail(email)) throw emailExists();
    const passwordHash = await hashPassword(textOf(fields, "password") || randomPassword());
    const metadata = readMetadata({ data: fields["user_metadata"] });
    const isConfirmed = fields["email_confirm"] === true;
    const asked = { email, metadata, provider: "email", passwordHash, isConfirmed };
    const user = insertUser(provider, asked);
    await save();
    response.json(userView(user));
  });
  router.delete("/admin/users/:id", async (request, response) => {
    if (!isUuid(request.params.id))
      throw new ApiError(404, "validation_failed", "user_id must be an UUID");
    if (!directory.deleteUser(request.params.id))
      throw new ApiError(404, "user_not_found", "User not found");
    await save();
    response.json({});
  });
  return router;
}

/** Without a configured key, nobody is an administrator. */
function onlyAdministrators({ adminKey }: Provider): RequestHandler {
  return (request, _response, next) => {
    const given = keyIn(request);
    if (given === undefined)
      throw new ApiError(401, "no_authorization", "This endpoint requires a valid Bearer token");
    if (adminKey !== undefined && isSame(given, adminKey.reveal())) return next();
    throw new ApiError(403, "not_admin", "User not allowed");
  };
}

function emailExists(): ApiError {
  const message = "A user with this email address has already been registered";
  return new ApiError(422, "email_exists", message);
}

function keyIn(request: Request): string | undefined {
  return /^Bearer (\S+)$/i.exec(request.header("authorization") ?? "")?.[1];
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
