import type { ServiceName } from "./topology.ts";
import type { Wiring } from "./wiring.ts";

export interface BannerOptions {
  baseUrl: string;
  apiKey: string;
  /** How to sign in at the development identity provider; undefined when it does not run. */
  signIn: { email: string; file: string; inboxUrl: string } | undefined;
  /** Address of the request viewer; undefined when requests are not observed. */
  viewerUrl?: string | undefined;
  /** Address that the gateway listens on. */
  host: string;
  /** Folder of the data and the logs. */
  folder: string;
  /** Whether the terminal supports colors. */
  hasColours: boolean;
}

/** The addresses of services that run without the others. */
export function partialBanner(
  names: readonly ServiceName[],
  { ports, config, baseUrl }: Pick<Wiring, "ports" | "config" | "baseUrl">,
): string {
  const lines = names.map((name) => {
    const address = name === "gateway" ? baseUrl : `127.0.0.1:${ports[name]}`;
    return `  ${name.padEnd(8)} ${address}`;
  });
  return `
${names.length === 1 ? "Only this service is running." : "Only these services are running."}

${lines.join("\n")}

  npm run admin -- … reaches them. Logs are in ${config.dataFolder}/logs. Stop with Ctrl-C.
`;
}

const LOOPBACK = /^(localhost|127\.[\d.]+|::1)$/;
const EXPOSED = `
  WARNING  Anyone who can reach this machine can sign in as anyone: the built-in identity provider
           verifies nothing. Set AUTH_URL to a real one, or leave HOST at 127.0.0.1.`;

/** What a person needs to start: addresses, a working key, and lines to copy. */
export function banner(options: BannerOptions): string {
  const { baseUrl, apiKey, signIn, viewerUrl, host, folder, hasColours } = options;
  const bold = (text: string) => (hasColours ? `\x1b[1m${text}\x1b[0m` : text);
  const faint = (text: string) => (hasColours ? `\x1b[2m${text}\x1b[0m` : text);
  const mcp = {
    mcpServers: {
      "nutrition-journal": {
        type: "http",
        url: `${baseUrl}/mcp`,
        headers: { Authorization: `Bearer ${apiKey}` },
      },
    },
  };
  const signInLines = signIn
    ? `
  Sign in  as ${signIn.email}; the password is in ${signIn.file}
           ${faint(`mails of the identity provider are at ${signIn.inboxUrl}`)}${LOOPBACK.test(host) ? "" : EXPOSED}`
    : "";
  const viewerLines = viewerUrl
    ? `
  Observe  ${viewerUrl}
           ${faint("the latest requests, each with its path through all services; kept in memory only")}`
    : "";
  return `
${bold("The nutrition journal is running.")}

  REST     ${baseUrl}/api/v1
  MCP      ${baseUrl}/mcp
  Docs     ${baseUrl}/docs
  Journal  ${baseUrl}/journal
  Settings ${baseUrl}/settings/keys${viewerLines}${signInLines}
  API key  ${apiKey}
           ${faint("of a demo account with 60 days of journal; it may read and write")}

${bold("Try it")}
  curl -H "Authorization: Bearer ${apiKey}" ${baseUrl}/api/v1/nutrition/summary

${bold("Connect an assistant: paste this into its MCP configuration")}
${JSON.stringify(mcp, null, 2).replaceAll(/^/gm, "  ")}

${bold("Stop")} with Ctrl-C; the data is kept in ${folder}
${bold("Logs")} are in ${folder}/logs
`;
}
