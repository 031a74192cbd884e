import type { Request, Response } from "express";
import { z } from "zod";

import type { SealedCookies } from "./sealed-cookies.ts";
import type { Person } from "../clients/person.ts";

const PURPOSE = "recovered";
const SECONDS = 900;

const shape = z.object({ sessionId: z.string(), returnTo: z.string() });

/** Records that the person followed a mail's link and may set a password without the old one. */
export async function markRecovered(
  response: Response,
  cookies: SealedCookies,
  { person, returnTo }: { person: Person; returnTo: string },
): Promise<void> {
  const value = { sessionId: person.user.credentialId, returnTo };
  await cookies.write(response, PURPOSE, { value, ttlSeconds: SECONDS });
}

/** The record, if it belongs to this very session. */
export async function findRecovered(
  request: Request,
  cookies: SealedCookies,
  { user }: Person,
): Promise<{ returnTo: string } | undefined> {
  const { success, data } = shape.safeParse(await cookies.read(request, PURPOSE));
  return success && data.sessionId === user.credentialId ? data : undefined;
}

export function clearRecovered(response: Response, cookies: SealedCookies): void {
  cookies.clear(response, PURPOSE);
}
