import type { SignInMethod } from "@nutrition/core/sign-in-method";
import type { Database } from "@nutrition/postgres/database";

import { accountNotFound } from "../domain/account.ts";
import { lockAccountTx } from "../store/account-store.ts";
import {
  insertSignInMethods,
  listSignInMethods,
  putConfirmedSignInMethod,
} from "../store/sign-in-method-store.ts";

/** How somebody signed in. */
export interface RecordedSignIn {
  readonly methods: readonly SignInMethod[];
  /** Whether they have just set a password through a link in a mail. */
  readonly hasSetPassword: boolean;
}

/**
 * Records the methods of a sign-in. Those of the first recorded sign-in are trusted, and so is a password set
 * through a link in a mail; any other must be confirmed. Callers of an earlier release send no methods.
 */
export async function recordSignInMethods(
  database: Database,
  accountId: string,
  { methods, hasSetPassword }: RecordedSignIn,
): Promise<void> {
  const recorded = await listSignInMethods(database, accountId);
  if (!hasSetPassword && methods.every((method) => recorded.has(method))) return;
  await database.transaction(async (tx) => {
    // Of two concurrent first sign-ins, only one counts as the first.
    if (!(await lockAccountTx(tx, accountId))) throw accountNotFound();
    const areConfirmed = (await listSignInMethods(tx, accountId)).size === 0;
    await insertSignInMethods(tx, accountId, { methods, areConfirmed });
    if (hasSetPassword) await putConfirmedSignInMethod(tx, accountId, "password");
  });
}
