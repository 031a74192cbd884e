/**
 * The one list of permitted imports. A room is a folder of `src` with everything in it, or a file
 * directly in `src`. Everything else is refused, so a new room needs a row, and a new dependency a
 * word in a row.
 */

/** What a room may import: other rooms of its package, and packages of this repository. */
export interface Row {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
  /** Libraries, such as `node:fs/promises` and `zod`; if absent, any that the package declares. */
  readonly libraries?: readonly string[];
}

/** Stands for all rooms. */
export const ALL = "*";

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");
const row = (rooms: string, packages: string, libraries?: string): Row => ({
  rooms: words(rooms),
  packages: words(packages),
  ...(libraries === undefined ? {} : { libraries: words(libraries) }),
});

/**
 * The rooms that all services have in common. `operations`, `store` and `domain` are independent of
 * gRPC and HTTP.
 */
const SKELETON: Readonly<Record<string, Row>> = {
  domain: row("", "core", "node:crypto zod"),
  store: row("domain", "core postgres telemetry", "node:fs/promises node:util node:zlib"),
  operations: row("domain store", "core postgres telemetry", "node:crypto"),
  clients: row("domain operations", "core oauth proto rpc"),
  rpc: row("domain store operations", "core postgres proto rpc telemetry"),
  "config.ts": row("domain clients", "core rpc service"),
  "service.ts": row(ALL, "core oauth postgres proto redis rpc service"),
  "main.ts": row("config.ts service.ts", "postgres service"),
};

/** The rooms of each service, in addition to or in place of the common ones. */
export const SERVICES: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  analysis: {
    ...SKELETON,
    retrieval: row("domain store", "core postgres"),
    model: row("config.ts domain retrieval store", "core postgres telemetry"),
    operations: row("domain model retrieval store", "core postgres", "node:crypto"),
    // The thread that reads food text, and what runs it.
    reader: row(
      "domain operations retrieval store",
      "core telemetry",
      "node:timers/promises node:v8 node:worker_threads",
    ),
    rpc: row("domain operations store", "core postgres proto rpc telemetry"),
    "backtracking.ts": row("", "", "scslre"),
    "generate.ts": row("backtracking.ts domain reader service.ts", ""),
  },
  auth: {
    ...SKELETON,
    "publish-revocation.ts": row("", "core redis"),
    "last-use-recorder.ts": row("store", "core"),
    operations: row("publish-revocation.ts domain store", "core postgres telemetry", "node:crypto"),
    rpc: row(
      "publish-revocation.ts domain last-use-recorder.ts operations store",
      "core oauth postgres proto rpc",
    ),
  },
  gateway: {
    ...SKELETON,
    clients: row("domain", "core oauth proto rpc"),
    http: row("domain", "core oauth service telemetry"),
    schemas: row("domain http", "core"),
    access: row("clients domain http", "core oauth redis rpc service"),
    // The public operations, one per file, from which routes, openapi and mcp are derived.
    operations: row("clients domain schemas", "core proto"),
    mcp: row("access clients domain http operations schemas", "core proto rpc telemetry"),
    routes: row("access clients domain http operations schemas", "core rpc service telemetry"),
    openapi: row("access domain http mcp operations routes schemas", "core"),
    docs: row("access http mcp openapi operations routes schemas", "core"),
    discovery: row("docs domain mcp routes", "core"),
    // Writes README's table of tools.
    "generate.ts": row("operations", ""),
  },
  identity: {
    ...SKELETON,
    "errors.ts": row("", ""),
    records: row("domain", "core"),
    tokens: row("domain records", "core"),
    "faults.ts": row("tokens", ""),
    "provider.ts": row("domain faults.ts records tokens", "core"),
    flows: row("domain errors.ts provider.ts records tokens", ""),
    pages: row("domain records", "core"),
    http: row("domain errors.ts flows pages provider.ts records tokens", "core"),
  },
  journal: {
    ...SKELETON,
    "outbox-worker.ts": row("operations store", "core postgres"),
  },
  limits: {
    ...SKELETON,
    background: row("domain", "core"),
    "open-database.ts": row("config.ts", "core postgres"),
    decisions: row(
      "background config.ts domain open-database.ts operations store",
      "core postgres redis telemetry",
    ),
    rpc: row("decisions domain operations store", "core postgres proto rpc telemetry"),
  },
  web: {
    ...SKELETON,
    clients: row("domain", "core proto rpc"),
    "identity-provider": row("", "core oauth telemetry"),
    sessions: row("clients identity-provider", "core proto redis rpc"),
    connections: row("clients identity-provider sessions", "core proto"),
    erasures: row("clients identity-provider", "core proto"),
    "background.ts": row("clients config.ts connections erasures mails", "core service"),
    // The only room that sends mails.
    mails: row("clients domain sessions", "core proto", "@bufbuild/protobuf/wkt nodemailer"),
    rpc: row("clients erasures identity-provider mails", "core proto rpc"),
    http: row("clients domain sessions", "core rpc service telemetry"),
    // Only the interface, not its adapters: see `CLOSED`.
    pages: row("clients connections domain http identity-provider sessions", "core proto"),
  },
};

/** Folders that only these files or folders of the same package may import. */
export const CLOSED: Readonly<Record<string, readonly string[]>> = {
  "services/web/src/identity-provider/supabase": ["services/web/src/service.ts"],
};

/** Packages that are not services, with the packages of this repository that they may import. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "services/shared/core": [],
  proto: [],
  "services/shared/telemetry": words("core proto"),
  "services/shared/rpc": words("core proto telemetry"),
  "services/shared/postgres": words("core telemetry"),
  "services/shared/redis": words("core telemetry"),
  "services/shared/oauth": words("core telemetry"),
  "services/shared/service": words("core proto rpc telemetry"),
  "services/cards": words("core"),
  "services/admin": words("core oauth proto rpc service"),
  "services/setup": words("core postgres service"),
  "deploy/local": words("admin core postgres proto rpc service setup"),
  "deploy/observability": words("core telemetry"),
  "deploy/observe": words("core service telemetry"),
  helm: [],
};
