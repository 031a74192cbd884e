import type { Clock } from "@nutrition/core/clock";

import type { AdminConfig } from "../config.ts";
import { checkEdge } from "./check-edge.ts";
import { checkProvider } from "./check-provider.ts";
import type { Finding } from "./finding.ts";
import type { Instance, Missing } from "./instances.ts";
import { askInstances } from "./instances.ts";
import { judgeFleet } from "./judge-fleet.ts";
import { judgeInstance, judgeMissing } from "./judge-instance.ts";

/** Examines the whole installation. Whatever is down is a finding; each check takes up to 2 s. */
export async function examine(config: AdminConfig, clock: Clock): Promise<Finding[]> {
  const [instances, outside] = await Promise.all([
    askInstances(config, clock),
    examineOutside(config, clock),
  ]);
  const now = clock.now();
  return [
    ...instances.flatMap((each) =>
      isInstance(each) ? judgeInstance(each, now) : judgeMissing(each),
    ),
    ...judgeFleet(instances.filter(isInstance)),
    ...outside,
  ];
}

async function examineOutside(config: AdminConfig, clock: Clock): Promise<Finding[]> {
  const { findings, issuer } = await checkEdge(config.baseUrl, clock);
  const { authUrl, authApiKey: apiKey } = config;
  return [...findings, ...(await checkProvider({ issuer: authUrl ?? issuer, apiKey }))];
}

function isInstance(asked: Instance | Missing): asked is Instance {
  return "facts" in asked;
}
