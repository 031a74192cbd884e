import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { missingEntries } from "@nutrition/setup/secrets/cluster-secret";

import type { Container } from "./pods.ts";

const SERVICES = join(import.meta.dirname, "../../services");
const OWN_SECRET = /^(release-nutrition-journal-secrets|nutrition-journal)$/;
/** Keys of Secrets that only the operator can create. */
const OF_THE_OPERATOR: Readonly<Record<string, string>> = {
  "redis/url": "rediss://:secret@redis.internal:6380",
  "mail/url": "smtps://journal:secret@mail.example.com",
  "provider/api-key": "key-of-the-project",
  "postgres-admin/url": "postgres://admin:secret@postgres.internal:5432/nutrition",
  "release-nutrition-journal-db-superuser/password": "secret",
};

/** The Secret as created by setup. */
const GENERATED = missingEntries({});

/**
 * The environment that the kubelet gives to a container: entries of Secrets are looked up, and
 * `$(NAME)` stands for a variable before it.
 */
export function environmentOf({ env = [] }: Container): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { name, value = "", valueFrom } of env) {
    if (name in environment) throw new Error(`${name} is set twice`);
    environment[name] = valueFrom
      ? secretOf(valueFrom as SecretReference)
      : value.replaceAll(/\$\((\w+)\)/g, (whole, known: string) => environment[known] ?? whole);
  }
  return environment;
}

interface SecretReference {
  readonly secretKeyRef: {
    readonly name: string;
    readonly key: string;
    readonly optional?: boolean;
  };
}

function secretOf({ secretKeyRef: { name, key, optional } }: SecretReference): string {
  const value = OWN_SECRET.test(name) ? GENERATED[key] : OF_THE_OPERATOR[`${name}/${key}`];
  const entry = value ?? (optional ? "given-for-a-while" : undefined);
  if (entry === undefined)
    throw new Error(`Nothing creates the entry ${key} of the Secret ${name}`);
  return entry;
}

/** Makes the service check an environment; returns its log with the problems. */
export async function checkConfig(
  service: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ code: unknown; log: string }> {
  const main = join(SERVICES, service, "src/main.ts");
  const child = spawn(process.execPath, [main, "--check-config"], {
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  }
  const [code] = (await once(child, "close")) as unknown[];
  return { code, log: Buffer.concat(chunks).toString() };
}
