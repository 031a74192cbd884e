import type { Clock } from "@nutrition/core/clock";
import { z } from "zod";

import type { Finding } from "./finding.ts";
import { ok, problem, unchecked } from "./finding.ts";
import { leastOffsetMs } from "./instances.ts";
import { judgeClock } from "./judge-clock.ts";
import { readDocument } from "./read-document.ts";

/** Findings at the public address. */
export interface Edge {
  findings: Finding[];
  /**
   * The identity provider that the gateway announces to assistants; undefined if there is none, or
   * when the gateway is down.
   */
  issuer: string | undefined;
}

const SUBJECT = "public address";

const readiness = z.object({ status: z.literal("ready") });
const protectedResource = z.object({
  authorization_servers: z.array(z.url()).min(1).exactOptional(),
});

/** Date headers have a precision of one second. */
const DATE_RESOLUTION_MS = 1_000;

/** Checks the gateway, and the pages behind it, as a client does. */
export async function checkEdge(baseUrl: string | undefined, clock: Clock): Promise<Edge> {
  if (baseUrl === undefined) {
    const message = "Not checked: the public address is unknown here.";
    const advice = "Set BASE_URL to the address that clients use.";
    return {
      findings: [unchecked("base_url_unknown", SUBJECT, { message, advice })],
      issuer: undefined,
    };
  }
  const [ready, resource, pages] = await Promise.all([
    checkReady(baseUrl, clock),
    readDocument(`${baseUrl}/.well-known/oauth-protected-resource/mcp`),
    readDocument(`${baseUrl}/sign-in`),
  ]);
  const { data } = protectedResource.safeParse(resource?.json);
  return {
    findings: [...ready, ...(pages ? [judgePages(pages.status)] : [])],
    issuer: data?.authorization_servers?.[0],
  };
}

async function checkReady(baseUrl: string, clock: Clock): Promise<Finding[]> {
  const startedAtMs = clock.monotonicMs();
  const answer = await readDocument(`${baseUrl}/readyz`);
  const tookMs = clock.monotonicMs() - startedAtMs;
  const { data } = readiness.safeParse(answer?.json);
  if (!answer || !data) return [judgeUnready(answer?.status)];
  return [
    ok("serving", SUBJECT, "Answers at its public address and accepts requests."),
    ...(answer.dateMs === undefined
      ? []
      : [clockOf(answer.dateMs - clock.now().getTime(), tookMs + DATE_RESOLUTION_MS)]),
  ];
}

function clockOf(offsetMs: number, tookMs: number): Finding {
  const least = leastOffsetMs(offsetMs, tookMs);
  return judgeClock({ name: SUBJECT, other: "this machine's", offsetMs: least });
}

function judgeUnready(status: number | undefined): Finding {
  const advice = "Check whether the gateway runs, and everything between it and this machine.";
  if (status === undefined) {
    const message = "The public address does not respond: nobody can use the service.";
    return problem("unreachable", SUBJECT, { message, advice });
  }
  const message = `Answered ${status} instead of a gateway's ready state: it is stopping, or something else answers.`;
  return problem("not_serving", SUBJECT, { message, advice });
}

function judgePages(status: number): Finding {
  if (status < 400) return ok("serving", "pages", "The sign-in page is shown.");
  if (status === 404) {
    const message = "No pages are served at the public address.";
    const advice = "For people to sign in, set WEB_URL of the gateway.";
    return unchecked("pages_off", "pages", { message, advice });
  }
  return problem("unreachable", "pages", {
    message: `The sign-in page answered ${status}: nobody can sign in or allow an assistant.`,
    advice: "Check whether web runs, what it logged, and WEB_URL of the gateway.",
  });
}
