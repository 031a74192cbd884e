import fc from "fast-check";
import { expect, test } from "vitest";

import { dayNearby, exactTime, longDate, momentOf, relativeTime, shortDate } from "./moments.ts";

const now = new Date("2026-11-21T12:00:00Z");

test.each([
  ["2026-11-21T11:59:31Z", "just now"],
  ["2026-11-21T11:59:00Z", "1 minute ago"],
  ["2026-11-21T11:00:31Z", "59 minutes ago"],
  ["2026-11-21T10:00:00Z", "2 hours ago"],
  ["2026-11-19T12:00:00Z", "2 days ago"],
  ["2026-09-01T12:00:00Z", "81 days ago"],
  ["2026-06-01T12:00:00Z", "6 months ago"],
  ["2027-02-19T11:59:00Z", "in 90 days"],
  ["2024-11-20T12:00:00Z", "2 years ago"],
  ["2026-11-24T12:00:00Z", "in 3 days"],
])("%s is %s", (moment, text) => {
  expect(relativeTime(new Date(moment), now)).toBe(text);
});

test("formats moments in the time zone", () => {
  expect(exactTime(now, "Asia/Kathmandu")).toBe("21 Nov 2026, 17:45");
  expect(exactTime(now, "UTC")).toBe("21 Nov 2026, 12:00");
});

test("names days", () => {
  expect(longDate("2026-11-21")).toBe("Saturday 21 November 2026");
  expect(shortDate("2026-11-21")).toBe("Sat 21 Nov");
  expect(longDate("2026-11-21", "en-US")).toBe("Saturday, November 21, 2026");
  expect(shortDate("2026-11-21", "en-US")).toBe("Sat, Nov 21");
  expect(dayNearby("2026-11-20", "2026-11-21")).toBe("Yesterday");
  expect(dayNearby("2026-11-19", "2026-11-21")).toBeUndefined();
});

test("noon of any day is noon in the time zone", () => {
  const zones = [
    "UTC",
    "Europe/Berlin",
    "America/St_Johns",
    "Pacific/Kiritimati",
    "Asia/Kathmandu",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.date({ min: new Date("1971-01-01"), max: new Date("2099-01-01"), noInvalidDate: true }),
      (timeZone, at) => {
        const date = at.toISOString().slice(0, 10);
        const shown = momentOf(date, 12, timeZone).toLocaleString("sv-SE", { timeZone });
        expect(shown).toBe(`${date} 12:00:00`);
      },
    ),
  );
});

test("the day after a clock change ends at its own midnight", () => {
  expect(momentOf("2026-10-26", 0, "Europe/Berlin")).toEqual(new Date("2026-10-25T23:00:00Z"));
  expect(momentOf("2026-03-30", 0, "Europe/Berlin")).toEqual(new Date("2026-03-29T22:00:00Z"));
});
