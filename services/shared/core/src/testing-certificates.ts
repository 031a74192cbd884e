import type { KeyObject } from "node:crypto";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Paths of PEM files, as in a service's configuration. */
export interface TestTlsPaths {
  certFile: string;
  keyFile: string;
  caFile: string;
}

/** A certificate authority for tests. */
export interface TestAuthority {
  /** Its own certificate in PEM. */
  readonly certificate: string;
  /** Creates a key and certificate for a server or client at 127.0.0.1 and `localhost`, as PEM. */
  issue(): { cert: string; key: string };
}

const YEAR_MS = 365 * 86_400_000;
// Object identifiers in DER: ecdsa-with-SHA256, commonName, basicConstraints, subjectAltName.
const ECDSA_WITH_SHA256 = "06082a8648ce3d040302";
const COMMON_NAME = "0603550403";
const BASIC_CONSTRAINTS = "0603551d13";
const SUBJECT_ALT_NAME = "0603551d11";

export function testAuthority(name: string): TestAuthority {
  const keyPair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signed = (subject: string, publicKey: KeyObject, extension: Buffer) =>
    certificate({ issuer: name, subject, publicKey, extension, signer: keyPair.privateKey });
  return {
    certificate: signed(name, keyPair.publicKey, extensionOf(BASIC_CONSTRAINTS, CA)),
    issue() {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      return {
        cert: signed("service", publicKey, extensionOf(SUBJECT_ALT_NAME, LOOPBACK_NAMES)),
        key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
      };
    },
  };
}

/**
 * Writes a new certificate of `authority` into `folder`, with `trusted` as its trusted authorities.
 */
export async function writeTlsFiles(
  folder: string,
  authority: TestAuthority,
  trusted: readonly TestAuthority[] = [authority],
): Promise<TestTlsPaths> {
  const { cert, key } = authority.issue();
  const paths = {
    certFile: join(folder, "tls.crt"),
    keyFile: join(folder, "tls.key"),
    caFile: join(folder, "ca.crt"),
  };
  await writeFile(paths.certFile, cert);
  await writeFile(paths.keyFile, key);
  await writeFile(paths.caFile, trusted.map(({ certificate }) => certificate).join(""));
  return paths;
}

interface CertificateContent {
  issuer: string;
  subject: string;
  publicKey: KeyObject;
  extension: Buffer;
  signer: KeyObject;
}

/** X.509 version 3 (RFC 5280) in PEM. */
function certificate(content: CertificateContent): string {
  const { issuer, subject, publicKey, extension, signer } = content;
  const algorithm = sequence(Buffer.from(ECDSA_WITH_SHA256, "hex"));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer),
    sequence(utcTime(-YEAR_MS), utcTime(YEAR_MS)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, signer)]));
  const text = sequence(body, algorithm, signature).toString("base64");
  const lines = text.match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function nameOf(commonName: string): Buffer {
  const text = der(0x0c, Buffer.from(commonName));
  return sequence(der(0x31, sequence(Buffer.from(COMMON_NAME, "hex"), text)));
}

function utcTime(fromNowMs: number): Buffer {
  const iso = new Date(Date.now() + fromNowMs).toISOString();
  return der(0x17, Buffer.from(`${iso.slice(2, 19).replaceAll(/[-T:]/g, "")}Z`));
}

function extensionOf(identifier: string, value: Buffer): Buffer {
  return sequence(Buffer.from(identifier, "hex"), der(0x04, value));
}

const CA = sequence(der(0x01, Buffer.from([0xff])));
const LOOPBACK_NAMES = sequence(
  der(0x82, Buffer.from("localhost")),
  der(0x87, Buffer.from([127, 0, 0, 1])),
);
