import type { DescService } from "@bufbuild/protobuf";
import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { createClient } from "@nutrition/rpc/client";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import type { Client } from "@nutrition/rpc/service-definition";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import type { AdminConfig, Target } from "./config.ts";
import { notRunning } from "./config.ts";

/**
 * Clients of the services, made when they are asked for and not before the configuration is read, so
 * that a command that was given wrongly needs neither. Disposing closes them.
 */
export class Services implements Disposable {
  readonly #readConfig: () => AdminConfig;
  readonly #transports = new Map<Target, UnaryTransport>();

  constructor(readConfig: () => AdminConfig) {
    this.#readConfig = readConfig;
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

  #clientOf<Service extends DescService>(target: Target, service: Service): Client<Service> {
    const transport = this.#transports.get(target) ?? this.#connect(target);
    this.#transports.set(target, transport);
    return createClient(service, transport);
  }

  #connect(target: Target): UnaryTransport {
    const { addresses, privateKey } = this.#readConfig();
    const address = addresses[target];
    if (!address) throw notRunning();
    const issuer = new IdentityIssuer({ service: "admin", privateKey, audiences: [target] });
    return new UnaryTransport({ address, issuer });
  }

  [Symbol.dispose](): void {
    for (const transport of this.#transports.values()) transport.close();
  }
}
