/** The caller's own signed statement. */
export const CALLER_METADATA = "x-caller-statement";
/** The statement about the user that is passed on. */
export const USER_METADATA = "x-user-statement";
/** Where gRPC carries a google.rpc.Status (gRPC richer error model). */
export const STATUS_METADATA = "grpc-status-details-bin";
