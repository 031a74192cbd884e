import type { User } from "../records/records.ts";
import { appMetadataOf } from "../tokens/claims.ts";

/** A user as the API returns it. */
export function userView(user: User) {
  const times = {
    email_confirmed_at: user.emailConfirmedAt,
    confirmed_at: user.emailConfirmedAt,
    confirmation_sent_at: user.confirmationSentAt,
    recovery_sent_at: user.recoverySentAt,
    invited_at: user.invitedAt,
    last_sign_in_at: user.lastSignInAt,
  };
  return {
    id: user.id,
    aud: "authenticated",
    role: "authenticated",
    email: user.email,
    ...times,
    phone: "",
    app_metadata: appMetadataOf(user),
    user_metadata: user.metadata,
    identities: user.providers.map((provider) => identityView(user, provider)),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    is_anonymous: false,
  };
}

function identityView(user: User, provider: string) {
  return {
    identity_id: user.id,
    id: user.id,
    user_id: user.id,
    identity_data: user.metadata,
    provider,
    email: user.email,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}
