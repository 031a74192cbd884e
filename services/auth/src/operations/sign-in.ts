import { Failure } from "@nutrition/core/failure";
import { newId } from "@nutrition/core/ids";
import type { Database, Transaction } from "@nutrition/postgres/database";
import { violatedConstraint } from "@nutrition/postgres/database";

import type { PersonClaims } from "../domain/identity-claims.ts";
import { findAccountByEmail, insertAccount, updateMissingEmail } from "../store/account-store.ts";
import { findAccountIdByIdentity, hasIdentity, insertIdentity } from "../store/identity-store.ts";

/** Constraints that a sign-in can violate only because of a concurrent sign-in. */
const RACES: ReadonlySet<string | undefined> = new Set([
  "identities_pkey",
  "identities_account_unique",
  "accounts_email_unique",
]);

/**
 * Each retry means that another sign-in succeeded, so the second attempt nearly always succeeds.
 */
const ROUNDS_MAX = 4;

/**
 * Returns the account of a person who signed in. The first sign-in binds the identity to the
 * account that an operator created for the person's verified address, or else to a new account. An
 * address that is not verified is not used. Fails with `failed_precondition` when somebody else has
 * signed in to the account of the verified address: the person's journal may be there, so a second,
 * empty account would look like lost data.
 */
export function signIn(database: Database, claims: PersonClaims): Promise<string> {
  return signInWithin(ROUNDS_MAX, database, claims);
}

async function signInWithin(
  rounds: number,
  database: Database,
  claims: PersonClaims,
): Promise<string> {
  if (rounds === 0) throw new Failure("unavailable", "SIGN_IN_CONTENDED", "Try to sign in again.");
  try {
    const knownId = await findAccountIdByIdentity(database, claims);
    if (knownId === undefined) {
      return await database.transaction((tx) => bindIdentityTx(tx, claims));
    }
    if (claims.verifiedEmail) await updateMissingEmail(database, knownId, claims.verifiedEmail);
    return knownId;
  } catch (error) {
    if (!RACES.has(violatedConstraint(error))) throw error;
    return signInWithin(rounds - 1, database, claims);
  }
}

async function bindIdentityTx(tx: Transaction, claims: PersonClaims): Promise<string> {
  const { verifiedEmail, name, avatarUrl } = claims;
  const holder = verifiedEmail ? await findAccountByEmail(tx, verifiedEmail) : undefined;
  if (holder) {
    if (await hasIdentity(tx, holder.id)) {
      // A concurrent sign-in of the same person may have bound it.
      const boundId = await findAccountIdByIdentity(tx, claims);
      if (boundId !== undefined) return boundId;
      throw addressHasAccount();
    }
    await insertIdentity(tx, claims, holder.id);
    return holder.id;
  }
  const account = await insertAccount(tx, {
    id: newId(),
    email: verifiedEmail,
    name,
    avatarUrl,
    hasPremium: false,
    isBetaTester: false,
  });
  await insertIdentity(tx, claims, account.id);
  return account.id;
}

function addressHasAccount(): Failure {
  return new Failure(
    "failed_precondition",
    "ADDRESS_HAS_ACCOUNT",
    "This installation already has an account for your e-mail address, but for another sign-in: the identity provider's address has changed, or you were added there anew. Nothing is lost, and nothing was created. Ask whoever runs this installation to move your account (npm run admin -- accounts move --help).",
  );
}
