import { parseArgs } from "node:util";

/** Options of a benchmark run. */
export interface BenchOptions {
  /** Rounds of each system. */
  rounds: number;
  /** Length of a round. */
  seconds: number;
  /** Keep-alive connections, each with one request at a time; several are measured in turn (edge). */
  connections: number;
  /** All given numbers; `connections` is the last of them. */
  connectionCounts: readonly number[];
  /** Accounts whose journals are written (edge, scale). */
  accounts: number;
  /** Length of the load (soak). */
  minutes: number;
  /** Requests a second; undefined for as many as are answered (soak). */
  rate: number | undefined;
  /** Instances of each stateless service, each number measured by itself (replicas). */
  replicas: readonly number[];
  /** File with the figures of an earlier run to compare with (edge). */
  compare: string | undefined;
  /** Connections of the abusive account, each number measured separately (fairness). */
  abuserConnections: readonly number[];
  /**
   * Kinds of abuse to measure, undefined for all (fairness); kinds of labelled lines (analysis).
   */
  kinds: readonly string[] | undefined;
  /** File for the figures as JSON. */
  json: string | undefined;
  /** File for a chart of the figures as SVG (edge). */
  svg: string | undefined;
  /** Folder for a CPU profile of each of our processes; profiling distorts the figures. */
  profile: string | undefined;
}

const ROUNDS_MAX = 100;
const CONNECTIONS_MAX = 256;
/** One day of an account takes 1 to 2 kB, in each of the two databases. */
const ACCOUNTS_MAX = 200_000;
const ACCOUNTS_MIN = 1_000;

export interface Command {
  /** Name of the benchmark; undefined when none was named. */
  name: string | undefined;
  help: boolean;
  options: BenchOptions;
}

/** The options as the help shows them. */
export const OPTIONS_HELP = `
  --rounds N        rounds of each system, 1 to 100 (5; edge, fairness and scale 3; mcp 60)
  --seconds N       length of a round, 1 to 20 (6; edge and scale 2; mcp 1; write 3; fairness 5)
  --connections N   connections of the load, 1 to 256 (32); edge: several, N,… (1,4,32)
  --accounts N      edge, scale: accounts with a journal, 1,000 to 200,000 (100000)
  --minutes N       soak: length of the load, 1 to 600 (10)
  --rate N          soak: requests a second, 1 to 1,000 (as many as are answered)
  --replicas N,…    replicas: instances of each service, 1 to 3 (2,3)
  --compare FILE    edge: shows an earlier run's figures, from --json, beside the new ones
  --abusers N,…     fairness: connections of the abuser, a row each (1,8,32)
  --kinds NAME,…    fairness: the kinds of abuse (all of them); analysis: held-apart lines (the others)
  --json FILE       writes the figures to a file
  --svg FILE        edge: draws a chart of the figures
  --profile FOLDER  writes a CPU profile of each of our processes; distorts the figures`;

/** Parses the command line; throws a readable message. */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string" },
      accounts: { type: "string", default: "100000" },
      minutes: { type: "string", default: "10" },
      rate: { type: "string" },
      replicas: { type: "string", default: "2,3" },
      compare: { type: "string" },
      abusers: { type: "string", default: "1,8,32" },
      kinds: { type: "string" },
      json: { type: "string" },
      svg: { type: "string" },
      profile: { type: "string" },
    },
  });
  if (positionals.length > 1) throw new Error("Name one benchmark.");
  const [name] = positionals;
  const usual = (name === undefined ? undefined : USUAL[name]) ?? OTHERS;
  const connectionCounts = (values.connections ?? usual.connections)
    .split(",")
    .map((text) => wholeNumber("--connections", text, CONNECTIONS_MAX));
  return {
    name,
    help: values.help,
    options: {
      rounds: wholeNumber("--rounds", values.rounds ?? usual.rounds, ROUNDS_MAX),
      seconds: wholeNumber("--seconds", values.seconds ?? usual.seconds, 20),
      connections: connectionCounts.at(-1) as number,
      connectionCounts,
      accounts: wholeNumber("--accounts", values.accounts, ACCOUNTS_MAX, ACCOUNTS_MIN),
      minutes: wholeNumber("--minutes", values.minutes, 600),
      rate: values.rate === undefined ? undefined : wholeNumber("--rate", values.rate, 1_000),
      replicas: values.replicas.split(",").map((text) => wholeNumber("--replicas", text, 3)),
      compare: values.compare,
      abuserConnections: values.abusers
        .split(",")
        .map((text) => wholeNumber("--abusers", text, CONNECTIONS_MAX)),
      kinds: values.kinds?.split(","),
      json: values.json,
      svg: values.svg,
      profile: values.profile,
    },
  };
}

/** The defaults of each benchmark. */
const OTHERS = { rounds: "5", seconds: "6", connections: "32" };
const USUAL: Readonly<Record<string, typeof OTHERS>> = {
  edge: { rounds: "3", seconds: "2", connections: "1,4,32" },
  fairness: { rounds: "3", seconds: "5", connections: "32" },
  mcp: { rounds: "60", seconds: "1", connections: "32" },
  soak: { rounds: "1", seconds: "1", connections: "8" },
  scale: { rounds: "3", seconds: "2", connections: "32" },
  write: { rounds: "5", seconds: "3", connections: "1" },
};

function wholeNumber(name: string, text: string, max: number, min = 1): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}
