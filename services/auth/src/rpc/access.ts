import type { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Access } from "@nutrition/rpc/access";

/** Which services may call each method. No key or connector can manage keys, grants or accounts. */
export const access: Access<typeof AuthService> = {
  authenticate: { callers: ["gateway"], user: "none" },
  authorizeConnector: { callers: ["gateway"], user: "none" },
  listChangedKeys: { callers: ["gateway"], user: "none" },
  recordKeyUses: { callers: ["gateway"], user: "none" },
  signIn: { callers: ["web"], user: "none" },
  checkSession: { callers: ["web"], user: "session" },
  endSession: { callers: ["web"], user: "session" },
  endAllSessions: { callers: ["web"], user: "session" },
  getProfile: { callers: ["gateway", "web"], user: "required" },

  createAccount: { callers: ["admin"], user: "none" },
  getAccount: { callers: ["admin"], user: "none" },
  listAccounts: { callers: ["admin"], user: "none" },
  updateAccount: { callers: ["admin"], user: "none" },
  listIdentities: { callers: ["admin"], user: "none" },
  moveIdentity: { callers: ["admin"], user: "none" },
  eraseAccount: { callers: ["admin"], user: "none" },

  requestErasure: { callers: ["web"], user: "session" },
  getErasure: { callers: ["web"], user: "session" },
  cancelErasure: { callers: ["web"], user: "session" },
  takeErasures: { callers: ["web"], user: "none" },
  eraseTakenAccount: { callers: ["web"], user: "none" },
  finishErasure: { callers: ["web"], user: "none" },

  queueInvitation: { callers: ["web"], user: "none" },
  takeMails: { callers: ["web"], user: "none" },
  finishMail: { callers: ["web"], user: "none" },

  createKey: { callers: ["web", "admin"], user: "session" },
  listKeys: { callers: ["web", "admin"], user: "session" },
  revokeKey: { callers: ["web", "admin"], user: "session" },
  renameKey: { callers: ["web", "admin"], user: "session" },
  rotateKey: { callers: ["web", "admin"], user: "session" },
  reportLeakedKey: { callers: ["gateway", "web", "admin"], user: "none" },

  putGrant: { callers: ["web"], user: "session" },
  listGrants: { callers: ["web", "admin"], user: "session" },
  updateGrant: { callers: ["web"], user: "session" },
  revokeGrant: { callers: ["web", "admin"], user: "session" },

  takeUpstreamDeletions: { callers: ["web"], user: "none" },
  takeOwnUpstreamDeletions: { callers: ["web"], user: "session" },
  finishUpstreamDeletion: { callers: ["web"], user: "none" },

  listNewSignInMethods: { callers: ["web"], user: "session" },
  confirmSignInMethods: { callers: ["web"], user: "session" },
};
