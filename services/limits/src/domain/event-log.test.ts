import fc from "fast-check";
import { expect, test } from "vitest";

import { EventLog } from "./event-log.ts";
import type { LoggedEvent } from "./event-log.ts";

const usage = fc.record({
  subject: fc.constantFrom("key:1", "key:2"),
  kind: fc.constantFrom("log", "edit"),
  cost: fc.constantFrom(1, 2),
  lines: fc.constantFrom(0, 1),
  journalDate: fc.constantFrom(null, "2026-11-27"),
  state: fc.constantFrom("committed", "reserved"),
});
// Events are dropped 64 or more at once.
const events = fc
  .array(usage, { minLength: 60, maxLength: 200 })
  .map((usages) => usages.map((used, atUs): LoggedEvent => ({ atUs, usage: used })));

function logOf(pushed: readonly LoggedEvent[]): EventLog {
  const log = new EventLog();
  // Copies: equal usages of callers are different objects.
  for (const { atUs, usage: used } of pushed) log.push({ atUs, usage: { ...used } });
  return log;
}

test("returns every pushed event unchanged, whether or not its usage is shared", () => {
  fc.assert(
    fc.property(events, (pushed) => {
      const log = logOf(pushed);
      expect(log.list()).toEqual(pushed);
      expect([log.first, log.end]).toEqual([0, pushed.length]);
    }),
  );
});

test("keeps the numbers of events and shrinks when old ones are dropped", () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 60, max: 200 }), (pushed, startUs) => {
      const log = logOf(pushed);
      const hasDropped = log.dropBefore(startUs);
      const kept = pushed.slice(hasDropped ? startUs : 0);
      expect(log.list()).toEqual(kept);
      expect([log.first, log.end]).toEqual([pushed.length - kept.length, pushed.length]);
      for (const event of kept) {
        expect(log.timeOf(event.atUs)).toBe(event.atUs);
        expect(log.usageOf(event.atUs)).toEqual(event.usage);
      }
      expect(log.bytes).toBeLessThanOrEqual(logOf(kept).bytes);
    }),
  );
});
