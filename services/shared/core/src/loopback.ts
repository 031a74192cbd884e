const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/;

/** Whether the address is reachable only from the same computer. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}
