// Creates the demo account and its journal in an installation that `npm start` does not run, such
// as one in a cluster. The environment provides the addresses, as for the operator's command line.
// When run again, it adds what is missing and replaces the key.
import { readConfig } from "@nutrition/admin/config";
import { Services } from "@nutrition/admin/services";

import { createAccount, findAccount, replaceKey } from "./demo.ts";
import { DEMO_PERSON } from "./demo-person.ts";
import { seedDemo } from "./demo-seed.ts";

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

try {
  const config = readConfig(process.env);
  if (config.baseUrl === undefined) throw new Error("Set BASE_URL to the address of the gateway.");
  using operator = new Services(() => config);
  const existing = await findAccount(operator, undefined);
  const account = existing ?? (await createAccount(operator));
  const demo = { account_id: account.id, api_key: await replaceKey(operator, account.id) };
  await seedDemo({
    operator,
    demo,
    gatewayUrl: config.baseUrl,
    wasInterrupted: existing !== undefined,
    say: console.log,
    stop: stop.signal,
  });
  console.log(`${DEMO_PERSON.email} now has a journal and this key:\n${demo.api_key}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
