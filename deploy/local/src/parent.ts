const POLL_MS = 500;

/**
 * Calls back once when the process that started this one has ended, even by SIGKILL, which it cannot pass
 * on. Until then, the caller must keep the process running.
 */
export function whenParentEnds(callBack: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    // An orphan is adopted by another process.
    if (process.ppid === parent) return;
    clearInterval(timer);
    callBack();
  }, POLL_MS).unref();
}
