import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DatabaseAddress } from "./database-address.ts";

describe("a database address", () => {
  it("names one or several hosts, each with its own port", () => {
    const rest = "/journal?sslmode=verify-full&target_session_attrs=read-write";
    const address = new DatabaseAddress(`postgres://me:p%40ss@a.example:5432,[::1]:6000,c${rest}`);
    expect(address.hosts).toEqual(["a.example:5432", "[::1]:6000", "c"]);
    expect(address.user).toBe("me");
    expect(address.accepts).toBe("read-write");
    expect(address.urls).toEqual([
      `postgres://me:p%40ss@a.example:5432${rest}`,
      `postgres://me:p%40ss@[::1]:6000${rest}`,
      `postgres://me:p%40ss@c${rest}`,
    ]);
  });

  it("may be without a role, a database, or a host when a parameter names a socket", () => {
    const address = new DatabaseAddress("postgresql://db");
    expect([address.user, address.hosts, address.accepts]).toEqual(["", ["db"], "primary"]);
    expect(new DatabaseAddress("postgres://me@/x?host=/run/postgresql").hosts).toEqual([""]);
  });

  it.each([
    "localhost:5432",
    "mysql://db/x",
    "postgres://a:1,,b:2/x",
    "postgres://a:1,b:port/x",
    "postgres://a b/x",
    "postgres://a:99999/x",
  ])("is refused when malformed: %s", (text) => {
    expect(() => new DatabaseAddress(text)).toThrow("postgres://user:password@host");
  });

  it.each(["any", "standby", "read-only", "prefer-standby", ""])(
    "cannot ask for a server that may refuse writes: %s",
    (wanted) => {
      const text = `postgres://a,b/x?target_session_attrs=${wanted}`;
      expect(() => new DatabaseAddress(text)).toThrow("primary or read-write");
    },
  );

  it("never repeats a password in an error", () => {
    const messageOf = (text: string) => {
      try {
        return new DatabaseAddress(`postgres://me:hunter2@${text}`) && "";
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(fc.property(fc.string(), (text) => expect(messageOf(text)).not.toContain("hunter2")));
  });

  it("takes any role and password, which every host's address then has", () => {
    const text = fc.string({ minLength: 1 }).filter((each) => each.isWellFormed());
    fc.assert(
      fc.property(text, text, (user, password) => {
        const changed = new DatabaseAddress("postgres://old:word@a:1,b:2/x").as({ user, password });
        const address = new DatabaseAddress(changed);
        expect(address.user).toBe(user);
        for (const url of address.urls) {
          const parsed = new URL(url);
          expect(decodeURIComponent(parsed.username)).toBe(user);
          expect(decodeURIComponent(parsed.password)).toBe(password);
        }
      }),
    );
  });
});
