const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/;

/** Whether an address leads only to the computer that it is opened on. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}
