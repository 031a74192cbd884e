import type { KubeClient } from "../kube/client.ts";
import type { Release } from "../kube/helm.ts";
import { Resources } from "../kube/resources.ts";
import { until } from "./pods.ts";

/** The notes list kept objects in lines such as ` - Secret nutrition-journal-secrets`. */
const KEPT = /^ {2}- ([A-Z]\w+) ([\w-]+)/gm;

/** Uninstalls, and waits until only objects from before and those in the notes are left. */
export async function uninstall(
  client: KubeClient,
  release: Release,
  before: readonly string[],
): Promise<string> {
  const notes = await release.helm("get notes");
  const kept = [...notes.matchAll(KEPT)].map(([, kind, name]) => `${kind}/${name}`);
  await release.helm("uninstall", "--wait");
  const expected = [...before, ...kept].sort();
  const resources = new Resources(client);
  let left: string[] = [];
  await until("nothing else is left", async () => {
    left = await resources.everythingIn(release.namespace);
    return left.every((name) => expected.includes(name));
  }).catch(() => {
    const unexpected = left.filter((name) => !expected.includes(name));
    throw new Error(`Left behind: ${unexpected.join(", ")}`);
  });
  const missing = expected.filter((name) => !left.includes(name));
  if (missing.length > 0)
    throw new Error(`Deleted, but should have been kept: ${missing.join(", ")}`);
  return `kept: ${kept.join(", ")}`;
}
