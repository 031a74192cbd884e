import type { SigningKeys } from "./tokens/signing-keys.ts";

/** Behavior of the key set endpoint. */
export type KeySetBehaviour = "ok" | "slow" | "failing";

export interface FaultsOptions {
  keys: SigningKeys;
  save: () => Promise<void>;
}

/** Faults that tests can inject. None is active initially. */
export class Faults {
  /** `slow` responds after `keySetDelayMs`, `failing` with 500. */
  keySet: KeySetBehaviour = "ok";
  keySetDelayMs = 30_000;
  /** Discovery documents fail with 500. */
  isDiscoveryFailing = false;
  /** Both token endpoints fail with 500. */
  isTokenEndpointFailing = false;
  /** Listing and deleting grants fail with 500. */
  isGrantsApiFailing = false;
  /** Authorization codes are expired when they are exchanged. */
  areCodesExpired = false;

  readonly #options: FaultsOptions;

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  /** Publishes a key that does not sign yet. */
  async publishStandbyKey(): Promise<void> {
    await this.#options.keys.publishStandby();
    await this.#options.save();
  }

  /** Makes the standby key sign, or a new one if there is none; older keys stay published. */
  async rotateKeys(): Promise<void> {
    await this.#options.keys.rotate();
    await this.#options.save();
  }

  /** Withdraws every key but the signing one, which invalidates earlier tokens. */
  async withdrawOldKeys(): Promise<void> {
    this.#options.keys.withdrawOthers();
    await this.#options.save();
  }

  /** Clears all faults; keys are unchanged. */
  reset(): void {
    this.keySet = "ok";
    this.isDiscoveryFailing = false;
    this.isTokenEndpointFailing = false;
    this.isGrantsApiFailing = false;
    this.areCodesExpired = false;
  }
}
