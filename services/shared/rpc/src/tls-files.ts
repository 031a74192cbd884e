import { readFileSync } from "node:fs";
import type { ServerOptions as HttpServerOptions, RequestListener } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { Agent, createServer } from "node:https";
import { createSecureContext } from "node:tls";

import * as grpc from "@grpc/grpc-js";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";

type Provider = grpc.experimental.CertificateProvider;
type CaListener = Parameters<Provider["addCaCertificateListener"]>[0];
type IdentityListener = Parameters<Provider["addIdentityCertificateListener"]>[0];

/** Paths of PEM files. */
export interface TlsPaths {
  /** This service's certificate, with its chain to the authority. */
  certFile: string;
  keyFile: string;
  /** Certificates of the authorities that must have signed the peers' certificates. */
  caFile: string;
}

/** Content of the files. */
export interface TlsMaterial {
  cert: Buffer;
  key: Buffer;
  ca: Buffer;
}

/** Loads the files at `paths`; undefined when there are none, and services use plain text. */
export function openTls(paths: TlsPaths | undefined, logger: Logger): TlsFiles | undefined {
  return paths && new TlsFiles(paths, logger);
}

const RELOAD_EVERY_MS = 5_000;

/**
 * Certificates for mutual TLS between services, re-read when they change. New connections use the
 * new files; open connections continue. Files that do not match, as during a replacement, are
 * ignored until they do.
 */
export class TlsFiles implements Disposable, Provider {
  readonly #paths: TlsPaths;
  readonly #logger: Logger;
  readonly #caListeners = new Set<CaListener>();
  readonly #identityListeners = new Set<IdentityListener>();
  readonly #changeListeners = new Set<(material: TlsMaterial) => void>();
  readonly #timer: NodeJS.Timeout;
  #channelCredentials: grpc.ChannelCredentials | undefined;
  #material: TlsMaterial;

  /** Throws when the files are unusable. */
  constructor(paths: TlsPaths, logger: Logger) {
    this.#paths = paths;
    this.#logger = moduleLogger(logger, "tls");
    this.#material = readMaterial(paths);
    this.#timer = setInterval(() => this.reload(), RELOAD_EVERY_MS);
    this.#timer.unref();
  }

  get material(): TlsMaterial {
    return this.#material;
  }

  serverCredentials(): grpc.ServerCredentials {
    return grpc.experimental.createCertificateProviderServerCredentials(this, this, true);
  }

  channelCredentials(): grpc.ChannelCredentials {
    this.#channelCredentials ??= grpc.experimental.createCertificateProviderChannelCredentials(
      this,
      this,
    );
    return this.#channelCredentials;
  }

  /** Server credentials that also require a client certificate. */
  httpsServer(options: HttpServerOptions, listener: RequestListener): HttpsServer {
    const checked = { requestCert: true, rejectUnauthorized: true };
    const server = createServer({ ...options, ...checked, ...this.#material }, listener);
    this.#changeListeners.add((material) => server.setSecureContext(material));
    return server;
  }

  /** Client credentials that present this service's certificate. */
  httpsAgent(): Agent {
    const agent = new Agent({ keepAlive: false, ...this.#material });
    // Credentials for new connections.
    this.#changeListeners.add((material) => Object.assign(agent.options, material));
    return agent;
  }

  /** Re-reads the files now. */
  reload(): void {
    let material: TlsMaterial;
    try {
      material = readMaterial(this.#paths);
    } catch (error) {
      this.#logger.warn({ err: error }, "cannot use the TLS files; the previous ones stay in use");
      return;
    }
    const { cert, key, ca } = this.#material;
    if (cert.equals(material.cert) && key.equals(material.key) && ca.equals(material.ca)) return;
    this.#material = material;
    for (const listener of this.#caListeners) listener(this.#caUpdate());
    for (const listener of this.#identityListeners) listener(this.#identityUpdate());
    for (const listener of this.#changeListeners) listener(material);
    this.#logger.info({}, "loaded new TLS files");
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#caListeners.add(listener);
    // gRPC expects the first update after it has registered.
    queueMicrotask(() => listener(this.#caUpdate()));
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#caListeners.delete(listener);
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.add(listener);
    queueMicrotask(() => listener(this.#identityUpdate()));
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.delete(listener);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #caUpdate() {
    return { caCertificate: this.#material.ca };
  }

  #identityUpdate() {
    return { certificate: this.#material.cert, privateKey: this.#material.key };
  }
}

/** Throws when a file is unreadable, or when they do not match. */
function readMaterial({ certFile, keyFile, caFile }: TlsPaths): TlsMaterial {
  const [cert, key, ca] = [certFile, keyFile, caFile].map((path) => readFileSync(path)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  createSecureContext({ cert, key, ca });
  return { cert, key, ca };
}
