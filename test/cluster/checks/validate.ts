import { readdirSync } from "node:fs";
import { join } from "node:path";

import { type KubeClient, type KubeObject, Refusal } from "../kube/client.ts";
import { CHART, type Release } from "../kube/helm.ts";
import { Resources } from "../kube/resources.ts";

/**
 * Makes the API server validate every object of the chart for each set of values, field by field,
 * without storing it. Returns their number; throws if any is refused.
 */
export async function validate(client: KubeClient, release: Release): Promise<string> {
  const resources = new Resources(client);
  const { gitVersion } = (await client.get("/version")) as unknown as { gitVersion: string };
  const refused: string[] = [];
  let count = 0;
  for (const values of readdirSync(join(CHART, "ci"))) {
    const options = ["-f", join(CHART, "ci", values), `--kube-version=${gitVersion}`];
    const objects = await release.objects("template", CHART, ...options);
    for (const object of objects) {
      const collection = await resources.collectionOf(object, release.namespace);
      if (collection === undefined) refused.push(`${values}: ${object.kind} is not known`);
      else {
        count += 1;
        refused.push(
          ...(await dryRun(client, collection, object)).map((why) => `${values}: ${why}`),
        );
      }
    }
  }
  if (refused.length > 0) throw new Error(`The API server refuses:\n${refused.join("\n")}`);
  return `${count} objects`;
}

async function dryRun(
  client: KubeClient,
  collection: string,
  object: KubeObject,
): Promise<string[]> {
  try {
    await client.create(`${collection}?dryRun=All&fieldValidation=Strict`, object);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [`${object.kind} ${object.metadata.name}: ${error.message}`];
  }
}
