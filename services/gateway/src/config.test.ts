import { ConfigError } from "@nutrition/service/config";
import { describe, expect, it } from "vitest";

import { readConfig } from "./config.ts";

const KEY = { kty: "OKP", crv: "Ed25519", x: "x", d: "d" };
const LEAST = {
  IDENTITY_PRIVATE_KEY: JSON.stringify(KEY),
  AUTH_ADDRESS: "127.0.0.1:1",
  JOURNAL_ADDRESS: "127.0.0.1:2",
  LIMITS_ADDRESS: "127.0.0.1:3",
};

describe("the configuration", () => {
  it("requires only the backends and the key", () => {
    expect(readConfig(LEAST)).toEqual({
      host: "127.0.0.1",
      port: 3_000,
      baseUrl: "http://localhost:3000",
      authUrl: undefined,
      oauthAudience: "authenticated",
      webUrl: undefined,
      redisUrl: undefined,
      trustProxyHops: 0,
      proxyTrust: "none",
      allowedOrigins: [],
      allowedHosts: [],
      leaveMs: 0,
      limitsPolicyFile: expect.stringMatching(/policies\.json$/) as string,
      backends: { auth: "127.0.0.1:1", journal: "127.0.0.1:2", limits: "127.0.0.1:3" },
      identity: { privateKey: KEY },
    });
  });

  it("accepts addresses without their trailing slash, and lists", () => {
    const config = readConfig({
      ...LEAST,
      BASE_URL: "https://journal.example.com/",
      AUTH_URL: "https://auth.example.com/auth/v1/",
      WEB_URL: "http://web.internal:4000/",
      ALLOWED_ORIGINS: "https://a.example.com, https://b.example.com:8443",
      ALLOWED_HOSTS: "gateway.internal",
    });
    expect(config).toMatchObject({
      baseUrl: "https://journal.example.com",
      authUrl: "https://auth.example.com/auth/v1",
      webUrl: "http://web.internal:4000",
      allowedOrigins: ["https://a.example.com", "https://b.example.com:8443"],
      allowedHosts: ["gateway.internal"],
      leaveMs: 0,
    });
  });

  it("verifies signed keys when it has the secrets, and refuses secrets that are too short", () => {
    const secrets = (bytes: number) => ({
      ...LEAST,
      KEY_SIGNING_SECRETS: JSON.stringify({ 1: Buffer.alloc(bytes, 7).toString("base64") }),
    });
    expect(readConfig(LEAST).keyVerifier).toBeUndefined();
    expect(readConfig(secrets(32)).keyVerifier).toBeDefined();
    expect(() => readConfig(secrets(31))).toThrow("KEY_SIGNING_SECRETS");
  });

  it("refuses the development identity provider in production, where it is not required", () => {
    const production = {
      ...LEAST,
      DEPLOYMENT: "production",
      INTERNAL_TLS: "mesh",
      BASE_URL: "https://journal.example.com",
      AUTH_URL: "https://auth.example.com/auth/v1",
      AUTH_ADDRESS: "auth.internal:1",
      JOURNAL_ADDRESS: "journal.internal:2",
      LIMITS_ADDRESS: "limits.internal:3",
    };
    expect(readConfig(production)).toMatchObject({ identityUrl: undefined });
    const withProvider = { ...production, IDENTITY_URL: "http://identity.internal:4" };
    expect(() => readConfig(withProvider)).toThrow("IDENTITY_URL: is for development");
  });

  it("names all invalid variables at once without showing their values", () => {
    const bad = {
      ...LEAST,
      PORT: "many",
      BASE_URL: "ftp://journal.example.com",
      TRUST_PROXY_HOPS: "-1",
      ALLOWED_ORIGINS: "https://a.example.com/path",
      WEB_URL: "web:4000",
      REDIS_URL: "redis.internal",
      LIMITS_ADDRESS: undefined,
      IDENTITY_PRIVATE_KEY: '{"d":"very-secret"}',
    };
    const failure = (() => {
      try {
        return readConfig(bad);
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(ConfigError);
    const { message } = failure as ConfigError;
    for (const name of Object.keys(bad).filter((key) => !/^(AUTH|JOURNAL)_/.test(key))) {
      expect(message).toContain(name);
    }
    expect(message).not.toContain("very-secret");
  });
});
