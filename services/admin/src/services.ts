import type { DescService } from "@bufbuild/protobuf";
import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { WebService } from "@nutrition/proto/nutrition/web/v1/web_pb";
import { createClient } from "@nutrition/rpc/client";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import type { Client } from "@nutrition/rpc/service-definition";
import { openTls } from "@nutrition/rpc/tls-files";
import type { TlsFiles } from "@nutrition/rpc/tls-files";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import type { AdminConfig, Target } from "./config.ts";
import { notRunning } from "./config.ts";

/**
 * Clients of the services, created on first use, so that a usage error needs neither services nor
 * configuration. Disposing closes them.
 */
export class Services implements Disposable {
  /** This machine's clock; tests replace it. */
  readonly clock: Clock;
  readonly #readConfig: () => AdminConfig;
  readonly #transports = new Map<Target, UnaryTransport>();
  #tls: TlsFiles | undefined;

  constructor(readConfig: () => AdminConfig, clock: Clock = systemClock) {
    this.#readConfig = readConfig;
    this.clock = clock;
  }

  /** Fails like a call when the services' addresses are unknown. */
  get config(): AdminConfig {
    return this.#readConfig();
  }

  get auth(): Client<typeof AuthService> {
    return this.#clientOf("auth", AuthService);
  }

  get journal(): Client<typeof JournalService> {
    return this.#clientOf("journal", JournalService);
  }

  get limits(): Client<typeof LimitsService> {
    return this.#clientOf("limits", LimitsService);
  }

  get analysis(): Client<typeof AnalysisService> {
    return this.#clientOf("analysis", AnalysisService);
  }

  /** The pages' port for the operator. */
  get web(): Client<typeof WebService> {
    return this.#clientOf("web", WebService);
  }

  #clientOf<Service extends DescService>(target: Target, service: Service): Client<Service> {
    const transport = this.#transports.get(target) ?? this.#connect(target);
    this.#transports.set(target, transport);
    return createClient(service, transport);
  }

  #connect(target: Target): UnaryTransport {
    const { addresses, privateKey, internalTls } = this.#readConfig();
    const address = addresses[target];
    if (!address) throw notRunning();
    const issuer = new IdentityIssuer({ service: "admin", privateKey });
    this.#tls ??= openTls(internalTls, silentLogger);
    return new UnaryTransport({ address, issuer, tls: this.#tls });
  }

  [Symbol.dispose](): void {
    for (const transport of this.#transports.values()) transport.close();
    this.#tls?.[Symbol.dispose]();
  }
}
