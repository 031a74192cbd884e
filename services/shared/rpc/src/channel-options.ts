import type { ChannelOptions } from "@grpc/grpc-js";

/** Maximum message size either way, in bytes: a page of 90 entries with 40 items each fits. */
export const MESSAGE_MAX_BYTES = 8 * 1024 * 1024;

/** Calls or replies are added to a frame only up to this size, in bytes. */
export const FRAME_MAX_BYTES = 1024 * 1024;

/** Diagnostics that nobody reads; they take the time twice for every message. */
export const WITHOUT_CHANNELZ: ChannelOptions = { "grpc.enable_channelz": 0 };

export const CHANNEL_OPTIONS: ChannelOptions = {
  ...WITHOUT_CHANNELZ,
  // A whole frame of replies arrives without the caller having to ask for more. With HTTP/2's default
  // of 64 kB it asked after every few replies, and woke the callee for it.
  "grpc-node.flow_control_window": FRAME_MAX_BYTES,
  "grpc.max_receive_message_length": MESSAGE_MAX_BYTES,
  "grpc.max_send_message_length": MESSAGE_MAX_BYTES,
  // Reconnects to a restarted instance within a second.
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.min_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1_000,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 5_000,
};
