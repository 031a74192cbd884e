import { fileURLToPath } from "node:url";

import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Logger, silentLogger } from "@nutrition/core/logger";
import { createTestDatabase, type TestDatabase } from "@nutrition/postgres/testing";
import type {
  AnalyzeRequestSchema,
  FoodSchema,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { AnalysisService, FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import {
  Health,
  HealthCheckResponse_ServingStatus,
} from "@nutrition/proto/grpc/health/v1/health_pb";
import { createClient } from "@nutrition/rpc/client";
import { testIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import { readConfig } from "../src/config.ts";
import { startAnalysis } from "../src/service.ts";

const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));
const OPTIONS = { timeoutMs: 60_000 };

export type FoodInit = MessageInitShape<typeof FoodSchema>;

/** The service on a database of its own, asked as the operator does. */
export class FoodService implements AsyncDisposable {
  readonly #resources: AsyncDisposableStack;
  readonly #operator;
  readonly #health;
  readonly database: TestDatabase;

  constructor(resources: AsyncDisposableStack, database: TestDatabase, transport: UnaryTransport) {
    this.#resources = resources;
    this.database = database;
    this.#operator = createClient(AnalysisService, transport);
    this.#health = createClient(Health, transport);
  }

  /** `environment` replaces what the service is configured with. */
  static async start(
    options: {
      logger?: Logger;
      environment?: Readonly<Record<string, string>>;
      readerThread?: URL;
    } = {},
  ) {
    const resources = new AsyncDisposableStack();
    const identity = await testIdentity();
    const database = resources.use(await createTestDatabase("analysis", MIGRATIONS));
    const environment = {
      DATABASE_URL: database.url,
      IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey("analysis")),
      IDENTITY_TRUSTED_KEYS: JSON.stringify(identity.trustedKeys),
      ...options.environment,
    };
    const { logger = silentLogger, readerThread } = options;
    const overrides = {
      logger,
      importedFoodsWaitMs: 10_000,
      ...(readerThread && { readerThread }),
    };
    const { address } = resources.use(await startAnalysis(readConfig(environment), overrides));
    const transport = new UnaryTransport({ address, issuer: identity.issuer("admin") });
    resources.defer(() => transport.close());
    return new FoodService(resources, database, transport);
  }

  import(foods: FoodInit[]) {
    return this.#operator.importFoods({ foods }, OPTIONS);
  }

  finishImport() {
    return this.#operator.finishImport({}, OPTIONS);
  }

  async search(query: string, limit = 10) {
    const { foods } = await this.#operator.searchFoods({ query, limit }, OPTIONS);
    return foods.map(({ food, score }) => ({ ...food!, score }));
  }

  /** Names of what a search finds, best first. */
  async names(query: string, limit = 10): Promise<string[]> {
    return (await this.search(query, limit)).map(({ name }) => name);
  }

  async analyze(...lines: string[]) {
    return (await this.ask({ lines })).lines;
  }

  /** The whole answer of Analyze. */
  ask(request: MessageInitShape<typeof AnalyzeRequestSchema>, options = OPTIONS) {
    return this.#operator.analyze(request, options);
  }

  explain(line: string) {
    return this.#operator.explainLine({ line }, OPTIONS);
  }

  async isServing(): Promise<boolean> {
    const { status } = await this.#health.check({}, OPTIONS);
    return status === HealthCheckResponse_ServingStatus.SERVING;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** A generic food to import. */
export function foodCalled(name: string, reference: string, more: FoodInit = {}): FoodInit {
  const per100g = { calories: 100, protein: 1, carbs: 2, fat: 3, sugar: 1, fiber: 1, sodium: 10 };
  return { reference, name, source: FoodSource.REFERENCE, per100g, ...more } as FoodInit;
}

/** A food of a brand to import. */
export function labelCalled(name: string, brand: string, reference: string): FoodInit {
  return foodCalled(name, reference, { brand, source: FoodSource.BRANDED });
}
