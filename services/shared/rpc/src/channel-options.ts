import type { ChannelOptions } from "@grpc/grpc-js";

/** Maximum message size either way, in bytes: a page of 90 entries with 40 items each fits. */
export const MESSAGE_MAX_BYTES = 8 * 1024 * 1024;

/** Calls or replies are added to a frame only up to this size, in bytes. */
export const FRAME_MAX_BYTES = 1024 * 1024;

export const CHANNEL_OPTIONS: ChannelOptions = {
  "grpc.max_receive_message_length": MESSAGE_MAX_BYTES,
  "grpc.max_send_message_length": MESSAGE_MAX_BYTES,
  // Reconnects to a restarted instance within a second.
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.min_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1_000,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 5_000,
};
