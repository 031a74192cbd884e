/** The caller's service token: for a stream, or for a single call. */
export const SERVICE_TOKEN_METADATA = "x-caller-proof";
/** The user that the caller asserts, a serialized nutrition.rpc.v1.User. */
export const USER_METADATA = "x-user-bin";
/** The user that the caller passes on. */
export const USER_ASSERTION_METADATA = "x-user-assertion";
/** An assertion of the user for the callee to pass on. */
export const ONWARD_ASSERTION_METADATA = "x-onward-assertion";
/** W3C Trace Context. */
export const TRACEPARENT_METADATA = "traceparent";
/** Key of the google.rpc.Status (gRPC richer error model). */
export const STATUS_METADATA = "grpc-status-details-bin";
