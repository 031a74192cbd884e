/**
 * Settings of Supabase Auth that limit what a token can do to an account, named after its
 * `GOTRUE_…` variables. `docs/identity-provider.md` says where to find them in the dashboard.
 */
export interface SecuritySettings {
  /**
   * `SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`: a session older than 24 hours needs a code
   * from a mail to change the password; a newer one does not.
   */
  readonly requireReauthentication: boolean;
  /**
   * `SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`: changing a password requires the current
   * one, unless the session began with a mail's link. Setting a first password does not.
   */
  readonly requireCurrentPassword: boolean;
  /**
   * `MAILER_SECURE_EMAIL_CHANGE_ENABLED`: both the old and the new address must confirm a change.
   */
  readonly secureEmailChange: boolean;
  /** The access token hook in `deploy/identity-provider`: a client's token names no session. */
  readonly detachClientTokens: boolean;
  /** `SECURITY_SB_FORWARDED_FOR_ENABLED`: callers may state the client's address. */
  readonly trustForwardedFor: boolean;
}

/** The settings that `docs/identity-provider.md` prescribes. */
export const PRESCRIBED_SETTINGS: SecuritySettings = {
  requireReauthentication: true,
  requireCurrentPassword: true,
  secureEmailChange: true,
  detachClientTokens: true,
  trustForwardedFor: true,
};
