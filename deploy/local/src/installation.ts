import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { moveIdentities } from "@nutrition/admin/move-identities";
import type { Move } from "@nutrition/admin/move-identities";

import type { DataFolder } from "./data-folder.ts";
import { readJson, writeJson } from "./files.ts";
import type { ReportProgress } from "./fleet.ts";
import { connectOperator } from "./operator.ts";
import { PROVIDER_FILE } from "./services.ts";
import type { Wiring } from "./wiring.ts";

/** Content of `installation.json` in the data folder. */
interface Installation {
  id: string;
  /** Whether all accounts are bound to the id; they were bound to the provider's address before. */
  are_people_moved: boolean;
}

/** What the development provider keeps, as far as the launcher reads it. */
interface ProviderRecords {
  users?: { id: string }[];
}

/**
 * The name under which the people of the development provider are known here. The provider's address changes
 * with BASE_URL, port and tunnel, so accounts are bound to the installation instead. Created on first use.
 */
export async function loadIdentityRealm(folder: DataFolder): Promise<string> {
  const saved = await readJson<Installation>(folder.installation);
  const { id } = saved ?? { id: randomUUID() };
  if (!saved) await writeJson(folder.installation, { id, are_people_moved: false });
  return realmOf(id);
}

/**
 * Binds the accounts of an earlier version to the installation, once. Reports people whose several accounts all
 * have entries, at every start until an operator has chosen.
 */
export async function moveOwnPeople(
  folder: DataFolder,
  wiring: Wiring,
  say: ReportProgress,
): Promise<void> {
  const saved = await readJson<Installation>(folder.installation);
  if (!saved || saved.are_people_moved) return;
  const records = await readJson<ProviderRecords>(join(folder.root, PROVIDER_FILE));
  const own = new Set(records?.users?.map(({ id }) => id));
  const issuer = realmOf(saved.id);
  using operator = connectOperator(wiring);
  const former = new Map<string, string>();
  const moves = await moveIdentities(operator, {
    isMoved(identity) {
      // Ids are random, so the provider's own are nobody else's.
      const isOwn = identity.issuer !== issuer && own.has(identity.subject);
      if (isOwn) former.set(identity.subject, identity.issuer);
      return isOwn;
    },
    issuer,
    isSamePerson: async () => true,
    isDryRun: false,
  });
  const undecided = moves.filter(({ result }) => result === "undecided");
  for (const move of undecided) say(describeChoice(move, former.get(move.subject), issuer));
  if (undecided.length === 0)
    await writeJson(folder.installation, { ...saved, are_people_moved: true });
}

function realmOf(id: string): string {
  return `urn:uuid:${id}`;
}

function describeChoice({ email, released }: Move, former = "", issuer: string): string {
  const commands = released.map(
    (id) => `  npm run -s admin -- accounts move --from ${former} --to ${issuer} --keep ${id}`,
  );
  return [
    `${email ?? "A person"} signed in at several addresses of this service and has a journal at each. Until you`,
    "choose one, they cannot sign in. The others keep their data. Run one of these:",
    ...commands,
  ].join("\n");
}
