// A launcher that the test kills: starts a server and waits.
import { type PostgresOptions, startPostgres } from "../src/postgres.ts";

await startPostgres(JSON.parse(process.argv[2] ?? "") as PostgresOptions);
process.send?.("ready");
