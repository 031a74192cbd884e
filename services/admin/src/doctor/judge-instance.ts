import { timestampDate } from "@bufbuild/protobuf/wkt";
import { CLOCK_TOLERANCE_S } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import { LIFETIME_S, isTokenExpired } from "@nutrition/rpc/token-format";
import type { InspectResponse } from "@nutrition/proto/nutrition/operations/v1/operations_pb";

import type { Finding } from "./finding.ts";
import { ok, problem, unchecked, warning } from "./finding.ts";
import type { Instance, Missing } from "./instances.ts";
import { judgeClock } from "./judge-clock.ts";
import { judgeDatabase } from "./judge-database.ts";

const DAY_MS = 86_400_000;
const EXPIRY_PROBLEM_MS = 3 * DAY_MS;
const EXPIRY_WARNING_MS = 21 * DAY_MS;

/** A service whose instances could not be resolved. */
export function judgeMissing({ service, failure }: Missing): Finding {
  const setting = `${service.toUpperCase()}_ADDRESS`;
  return failure
    ? problem("service_unknown_host", service, {
        message: `The name in ${setting} does not resolve.`,
        advice: `Check ${setting} (host:port) and the DNS of this machine.`,
      })
    : unchecked("service_address_unknown", service, {
        message: "Not checked: its address is unknown here.",
        advice: `Set ${setting} to host:port.`,
      });
}

/**
 * Checks the report of one instance about itself and its dependencies. `now` is this machine's
 * time.
 */
export function judgeInstance(instance: Instance, now: Date): Finding[] {
  const { name, serving, facts } = instance;
  const health = judgeHealth(name, serving);
  if (facts instanceof Failure) {
    return serving instanceof Failure ? [health] : [health, judgeSilence(name, facts)];
  }
  return [
    health,
    judgeClock({ name, other: "this machine's", offsetMs: instance.clockOffsetMs ?? 0 }),
    ...(facts.database ? judgeDatabase(name, facts.database) : []),
    ...judgeTelemetry(name, facts),
    ...facts.certificates.map(({ setting, expiresAt }) =>
      judgeCertificate(name, setting, expiresAt && timestampDate(expiresAt), now),
    ),
    ...judgeProduction(name, facts),
    ...facts.backends.filter(({ serving }) => !serving).map((silent) => judgeBackend(name, silent)),
    ...facts.warnings.map((message) =>
      warning("gateway_warning", name, { message, advice: "See docs/architecture.md." }),
    ),
    ...judgeMailQuota(name, facts, now),
  ];
}

function judgeBackend(name: string, { name: backend }: { name: string }): Finding {
  return problem("backend_unreachable", name, {
    message: `Cannot reach ${backend}: requests that need it fail with 503.`,
    advice: `See the findings about ${backend}; if it runs, check ${backend.toUpperCase()}_ADDRESS of ${name}.`,
  });
}

/** A quota is per hour; a day shows that it is too low. */
function judgeMailQuota(
  name: string,
  { mailQuotaRefusedAt }: InspectResponse,
  now: Date,
): Finding[] {
  if (!mailQuotaRefusedAt) return [];
  const refusedAt = timestampDate(mailQuotaRefusedAt);
  if (now.getTime() - refusedAt.getTime() > DAY_MS) return [];
  const moment = refusedAt.toISOString().slice(0, 16).replace("T", " ");
  const message = `At ${moment} UTC, the identity provider sent no mail because it had sent too many: people who sign up or forgot their password get none.`;
  const advice =
    "Give it a mail server of your own and a higher limit (docs/runbooks/provider-mails-missing.md).";
  return [warning("mail_quota_used_up", name, { message, advice })];
}

function judgeHealth(name: string, serving: boolean | Failure): Finding {
  if (serving === true) return ok("serving", name, "Responds and accepts calls.");
  if (serving === false) {
    return problem("not_serving", name, {
      message:
        "Responds, but accepts no calls: it is stopping, or replaces its reader of food text.",
      advice:
        "Run this again in a few seconds. If it is still so, see its log: it says why it was stopped, or why the reader does not start.",
    });
  }
  return problem("unreachable", name, {
    message: "Does not respond: requests that need it fail with 503.",
    advice:
      "Check whether its process runs, what it logged last, and whether this machine can reach its address with the same INTERNAL_TLS as the service.",
  });
}

function judgeSilence(name: string, failure: Failure): Finding {
  switch (failure.kind) {
    case "unauthenticated":
    case "permission_denied":
      return problem("operator_refused", name, {
        message: "Does not accept this operator's key, so it reports nothing about itself.",
        advice:
          "Compare IDENTITY_PRIVATE_KEY here with the key of admin in its IDENTITY_TRUSTED_KEYS, and the clock here with the service's.",
      });
    case "unimplemented":
      return warning("inspection_unknown", name, {
        message: "Runs a version that cannot be inspected yet.",
        advice: "Update it to the version of this command line.",
      });
    default:
      if (isTokenExpired(failure)) return judgeOwnToken(name);
      return problem("inspection_failed", name, {
        message: `Accepts calls, but reports nothing about itself (${failure.reason}).`,
        advice: "See its log; it may be overloaded. Try again.",
      });
  }
}

function judgeOwnToken(name: string): Finding {
  return problem("clock_differs", name, {
    message: `Does not accept this operator's token, because its clock is at least ${CLOCK_TOLERANCE_S} s behind this machine's or more than ${LIFETIME_S} s ahead of it. It reports nothing about itself, and other services' calls fail with 503 if their clocks differ from its clock, too.`,
    advice: "Synchronize both machines' clocks with the same source (NTP).",
  });
}

function judgeTelemetry(name: string, { telemetry }: InspectResponse): Finding[] {
  if (!telemetry?.exporting) {
    if (telemetry?.scraped)
      return [ok("metrics_scraped", name, "Prometheus can read its metrics.")];
    const message = "Sends no traces and no metrics.";
    const advice = "To monitor it, set OTEL_EXPORTER_OTLP_ENDPOINT or OPERATIONS_PORT.";
    return [unchecked("telemetry_off", name, { message, advice })];
  }
  if (telemetry.reachable) return [ok("telemetry_reachable", name, "Its collector responds.")];
  const message =
    "Its collector does not respond: traces and metrics are lost. Requests are not affected.";
  const advice = "Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector runs.";
  return [warning("telemetry_unreachable", name, { message, advice })];
}

function judgeCertificate(
  name: string,
  setting: string,
  expiresAt: Date | undefined,
  now: Date,
): Finding {
  const leftMs = (expiresAt?.getTime() ?? 0) - now.getTime();
  const date = expiresAt?.toISOString().slice(0, 10) ?? "an unknown date";
  const expires = {
    message: `A certificate in ${setting} ${leftMs > 0 ? "expires" : "expired"} on ${date}; calls between services fail from then on.`,
    advice: "Install a new certificate; the service loads it within 5 s, without a restart.",
  };
  if (leftMs < EXPIRY_PROBLEM_MS) return problem("certificate_expires", name, expires);
  if (leftMs < EXPIRY_WARNING_MS) return warning("certificate_expires", name, expires);
  return ok("certificate_holds", name, `The certificates in ${setting} are valid until ${date}.`);
}

function judgeProduction(name: string, facts: InspectResponse): Finding[] {
  const { production, productionRefusals: refusals } = facts;
  if (production) return [ok("production", name, "Runs with DEPLOYMENT=production.")];
  if (refusals.length === 0) {
    const message =
      "Runs without DEPLOYMENT=production, but its settings would be accepted in production.";
    const advice = "Where people depend on it, set DEPLOYMENT=production.";
    return [unchecked("not_production", name, { message, advice })];
  }
  const message = `Runs for development. DEPLOYMENT=production would refuse: ${refusals.join("; ")}.`;
  const advice = "Where people depend on it, fix these settings and set DEPLOYMENT=production.";
  return [unchecked("not_production", name, { message, advice })];
}
