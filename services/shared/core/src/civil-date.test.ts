import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { addDays, civilDateIn, isCivilDate, isTimeZone, offsetsOf } from "./civil-date.ts";

describe("isCivilDate", () => {
  it.each(["2026-02-28", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])(
    "accepts %s",
    (text) => expect(isCivilDate(text)).toBe(true),
  );

  it.each(["2026-02-29", "1900-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-04-31"])(
    "refuses %s, which does not exist",
    (text) => expect(isCivilDate(text)).toBe(false),
  );

  it.each([
    "",
    "2026-1-1",
    "26-01-01",
    "2026/01/01",
    "2026-01-01T00:00",
    " 2026-01-01",
    "0000-01-01",
  ])("refuses %j, which is not in the form of a date", (text) =>
    expect(isCivilDate(text)).toBe(false),
  );

  it("accepts every day of the calendar", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => isCivilDate(date.toISOString().slice(0, 10)),
      ),
    );
  });
});

describe("civilDateIn", () => {
  it("is the local day, on both sides of the date line and of daylight saving", () => {
    const moment = new Date("2026-03-29T00:30:00Z");
    expect(civilDateIn("Pacific/Kiritimati", moment)).toBe("2026-03-29");
    expect(civilDateIn("Pacific/Pago_Pago", moment)).toBe("2026-03-28");
    expect(civilDateIn("Europe/Berlin", new Date("2026-03-28T23:30:00Z"))).toBe("2026-03-29");
    expect(civilDateIn("Europe/Berlin", new Date("2026-03-29T21:59:00Z"))).toBe("2026-03-29");
    expect(civilDateIn("Europe/Berlin", new Date("2026-03-29T22:00:00Z"))).toBe("2026-03-30");
  });
});

describe("offsetsOf", () => {
  it("is the offset of each moment, of the sign and in the seconds of the zone", () => {
    const [winter, summer] = [new Date("2026-01-01T00:00:00Z"), new Date("2026-07-01T00:00:00Z")];
    expect(offsetsOf("UTC", [winter])).toEqual([0]);
    expect(offsetsOf("Europe/Berlin", [winter, summer])).toEqual([3_600, 7_200]);
    expect(offsetsOf("America/St_Johns", [winter, summer])).toEqual([-12_600, -9_000]);
  });

  it("agrees with the civil day in every zone", () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const moments = fc.date({
      min: new Date("1975-01-01"),
      max: new Date("2030-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, moments, (zone, moment) => {
        const [offset = 0] = offsetsOf(zone, [moment]);
        const local = new Date(moment.getTime() + offset * 1_000);
        expect(civilDateIn(zone, moment)).toBe(local.toISOString().slice(0, 10));
      }),
    );
  });
});

describe("isTimeZone", () => {
  it.each(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])(
    "accepts %s",
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  it.each(["", "Mars/Olympus", "+02:00", "Europe/Berlin; drop table", "europe berlin"])(
    "refuses %j",
    (name) => expect(isTimeZone(name)).toBe(false),
  );
});

describe("addDays", () => {
  it("crosses months, leap days and years", () => {
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2024-03-01", -1)).toBe("2024-02-29");
  });
});
