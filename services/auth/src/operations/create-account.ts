import { Failure } from "@nutrition/core/failure";
import { newId } from "@nutrition/core/ids";
import type { Database } from "@nutrition/postgres/database";
import { violatedConstraint } from "@nutrition/postgres/database";

import type { Account } from "../domain/account.ts";
import { parseEmail, parseName } from "../domain/account.ts";
import { insertAccount } from "../store/account-store.ts";

/**
 * Creates an account for an operator. It is bound to the first person who signs in with its
 * verified address. Fails with `already_exists` when another account has the address.
 */
export async function createAccount(
  database: Database,
  request: { email: string; name: string; hasPremium: boolean; isBetaTester: boolean },
): Promise<Account> {
  const { hasPremium, isBetaTester } = request;
  const email = parseEmail(request.email);
  const name = parseName(request.name);
  return rejectingDuplicateEmail(
    insertAccount(database, {
      id: newId(),
      email,
      name,
      avatarUrl: null,
      hasPremium,
      isBetaTester,
    }),
  );
}

/** Awaits a write to an account and translates a violation of the unique address. */
export async function rejectingDuplicateEmail<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    if (violatedConstraint(error) !== "accounts_email_unique") throw error;
    throw new Failure(
      "already_exists",
      "EMAIL_TAKEN",
      "This e-mail address belongs to another account.",
    );
  }
}
