import { randomBytes } from "node:crypto";

import { ManualClock } from "@nutrition/core/clock";
import { Secret } from "@nutrition/core/secret";
import type { Request, Response } from "express";
import fc from "fast-check";
import { expect, test } from "vitest";

import { SealedCookies } from "./sealed-cookies.ts";

const clock = new ManualClock("2026-11-21T12:00:00Z");
const newKey = () => new Secret(randomBytes(32).toString("base64url"));
const cookiesWith = (...keys: Secret[]) => new SealedCookies({ keys, isHttps: true, clock });

/** Writes the value and returns the request of a browser that has stored it. */
async function written(cookies: SealedCookies, value: { text: string }): Promise<Request> {
  const lines: string[] = [];
  const response = { append: (_name: string, line: string) => lines.push(line) };
  await cookies.write(response as unknown as Response, "purpose", { value, ttlSeconds: 60 });
  const kept = lines.filter((line) => !line.includes("Max-Age=0"));
  const cookie = kept.map((line) => line.slice(0, line.indexOf(";"))).join("; ");
  return { headers: { cookie } } as Request;
}

test("reads what was written, whatever its length", async () => {
  const cookies = cookiesWith(newKey());
  const texts = fc.string({ unit: "grapheme", maxLength: 2_000 });
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect(await cookies.read(await written(cookies, { text }), "purpose")).toMatchObject({
        text,
      });
    }),
    { numRuns: 50 },
  );
});

test("never writes a value partially when it is too large", async () => {
  const cookies = cookiesWith(newKey());
  await expect(written(cookies, { text: "x".repeat(9_000) })).rejects.toThrow("too large");
});

test("a value in several cookies is lost when one of them is missing", async () => {
  const cookies = cookiesWith(newKey());
  const request = await written(cookies, { text: "x".repeat(5_000) });
  const [first, ...others] = request.headers.cookie!.split("; ");
  expect(others.length).toBeGreaterThan(0);
  const part = { headers: { cookie: first } } as Request;
  expect(await cookies.read(part, "purpose")).toBeUndefined();
});

test("a sealed value reveals nothing of its content", async () => {
  const sealed = await cookiesWith(newKey()).seal({ secret: "visible" }, "purpose", 60);
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("visible");
});

test("rejects a value for another purpose, under another key, changed or expired", async () => {
  const [key, otherKey] = [newKey(), newKey()];
  const cookies = cookiesWith(key);
  const sealed = await cookies.seal({ text: "a" }, "purpose", 60);
  expect(await cookies.open(sealed, "purpose")).toMatchObject({ text: "a" });
  expect(await cookies.open(sealed, "other")).toBeUndefined();
  expect(await cookiesWith(otherKey).open(sealed, "purpose")).toBeUndefined();
  // Not the last character, which holds bits that decoding drops.
  const changed = sealed.slice(0, -5) + (sealed.at(-5) === "A" ? "B" : "A") + sealed.slice(-4);
  expect(await cookies.open(changed, "purpose")).toBeUndefined();
  expect(await cookies.open("nonsense", "purpose")).toBeUndefined();
  clock.advance(61_000);
  expect(await cookies.open(sealed, "purpose")).toBeUndefined();
});

test("a new first key still opens what an older one sealed", async () => {
  const [older, newer] = [newKey(), newKey()];
  const sealed = await cookiesWith(older).seal({ text: "a" }, "purpose", 60);
  expect(await cookiesWith(newer, older).open(sealed, "purpose")).toMatchObject({ text: "a" });
  const resealed = await cookiesWith(newer, older).seal({ text: "a" }, "purpose", 60);
  expect(await cookiesWith(older).open(resealed, "purpose")).toBeUndefined();
});

test("a clock set back opens what was sealed before; one that jumped ahead ends what has expired", async () => {
  const cookies = cookiesWith(newKey());
  const [short, long] = [
    await cookies.seal({}, "purpose", 60),
    await cookies.seal({}, "purpose", 3_600),
  ];
  clock.step(-120_000);
  for (const sealed of [short, long]) expect(await cookies.open(sealed, "purpose")).toBeDefined();
  clock.step(720_000);
  expect(await cookies.open(short, "purpose")).toBeUndefined();
  expect(await cookies.open(long, "purpose")).toBeDefined();
});
