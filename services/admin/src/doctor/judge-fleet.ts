import { Failure } from "@nutrition/core/failure";
import type { InspectResponse } from "@nutrition/proto/nutrition/operations/v1/operations_pb";

import type { Finding } from "./finding.ts";
import { ok, problem, unchecked, warning } from "./finding.ts";
import type { Instance } from "./instances.ts";

type Answered = Instance & { facts: InspectResponse };

/** Checks that compare instances. */
export function judgeFleet(instances: readonly Instance[]): Finding[] {
  const answered = instances.filter((each): each is Answered => !(each.facts instanceof Failure));
  if (answered.length === 0) return [];
  return [
    judgeVersions(answered),
    ...judgePolicies(answered),
    ...judgeRedis(answered),
    ...judgeTimeZones(answered),
  ];
}

function judgeVersions(instances: readonly Answered[]): Finding {
  const byVersion = Map.groupBy(instances, ({ facts }) => facts.version);
  const versions = [...byVersion.keys()];
  if (versions.length === 1) {
    return ok("versions_agree", "versions", `All that answered run version ${versions[0]}.`);
  }
  const listed = [...byVersion].map(([version, those]) => `${version} (${namesOf(those)})`);
  return warning("versions_differ", "versions", {
    message: `Several versions run: ${listed.join(", ")}.`,
    advice: "During a roll-out, wait until it ends; otherwise update the older instances.",
  });
}

function judgePolicies(instances: readonly Answered[]): Finding[] {
  const those = instances.filter(({ facts }) => facts.policyVersion !== "");
  const byVersion = Map.groupBy(those, ({ facts }) => facts.policyVersion);
  const [version] = byVersion.keys();
  if (version === undefined) return [];
  if (byVersion.size === 1) {
    return [ok("policies_agree", "limits", `All instances use policies of version ${version}.`)];
  }
  const listed = [...byVersion].map(([each, holders]) => `${each} (${namesOf(holders)})`);
  const message = `Instances use different policies: ${listed.join(", ")}. One may allow a request that another refuses.`;
  const advice =
    "Give all instances the same LIMITS_POLICY_FILE; a changed file is loaded within 5 s, and an invalid one is named in the log.";
  return [problem("policies_differ", "limits", { message, advice })];
}

function judgeRedis(instances: readonly Answered[]): Finding[] {
  const users = instances.filter(({ facts }) => facts.redis);
  if (users.length === 0) return [];
  const configured = users.filter(({ facts }) => facts.redis?.configured);
  if (configured.length === 0) {
    const message = "None: revocations take effect within 4 s instead of immediately.";
    const advice = "For immediate revocations, set REDIS_URL for auth, limits, gateway and web.";
    return [unchecked("redis_none", "Redis", { message, advice })];
  }
  const unreachable = configured.filter(({ facts }) => !facts.redis?.reachable);
  if (unreachable.length > 0) {
    const message = `Does not respond to ${namesOf(unreachable)}: revocations take effect within 4 s instead of immediately.`;
    const advice = "Check whether Redis runs and what REDIS_URL says. Nothing else depends on it.";
    return [problem("redis_unreachable", "Redis", { message, advice })];
  }
  const without = users.filter((user) => !configured.includes(user));
  if (without.length > 0) {
    const message = `Not used by ${namesOf(without)}, though others have it.`;
    const advice = "Set the same REDIS_URL for auth, limits, gateway and web.";
    return [warning("redis_not_everywhere", "Redis", { message, advice })];
  }
  return [ok("redis_reachable", "Redis", `Answers ${namesOf(configured)}.`)];
}

/** Names of time zones shown before the others are only counted. */
const ZONES_SHOWN = 3;

function judgeTimeZones(instances: readonly Answered[]): Finding[] {
  const those = instances.filter(({ facts }) => (facts.timeZones?.version ?? "") !== "");
  const byVersion = Map.groupBy(those, ({ facts }) => facts.timeZones?.version ?? "");
  const [version] = byVersion.keys();
  if (version === undefined) return [];
  const subject = "time zones";
  if (byVersion.size > 1) {
    const listed = [...byVersion].map(([each, holders]) => `${each} (${namesOf(holders)})`);
    const message = `Services use different tables of time zones: ${listed.join(", ")}. Where the rules of a zone have changed, pages and tools may show another today for an hour of each day.`;
    const advice = "Run all services with the same version of Node.js.";
    return [warning("time_zones_differ", subject, { message, advice })];
  }
  const decides = `The table of Node.js (${version}) decides which day it is`;
  const compared = those.find(({ facts }) => facts.timeZones?.compared)?.facts.timeZones;
  if (!compared) {
    const message = `${decides}. PostgreSQL's was not compared in time.`;
    return [unchecked("time_zones_unknown", subject, { message, advice: "Run this again." })];
  }
  const { differing } = compared;
  if (differing.length === 0) {
    return [ok("time_zones_agree", subject, `${decides}, and PostgreSQL's agrees for a year.`)];
  }
  const shown = differing.slice(0, ZONES_SHOWN).join(", ");
  const others = differing.length - ZONES_SHOWN;
  const zones = others > 0 ? `${shown} and ${others} more` : shown;
  const message = `${decides}. PostgreSQL's table differs for ${zones} in the coming year; that changes no day, and only makes today's summary there a little slower for some hours.`;
  return [ok("time_zones_agree", subject, message)];
}

function namesOf(instances: readonly Instance[]): string {
  return instances.map(({ name }) => name).join(", ");
}
