import type { SigningKeys } from "./tokens/signing-keys.ts";

/** How the key set is answered. */
export type KeySetBehaviour = "ok" | "slow" | "failing";

export interface FaultsOptions {
  keys: SigningKeys;
  save: () => Promise<void>;
}

/** What a test can make go wrong. All is well at the start. */
export class Faults {
  /** `slow` answers after `keySetDelayMs`, `failing` with 500. */
  keySet: KeySetBehaviour = "ok";
  keySetDelayMs = 30_000;
  /** Discovery documents are answered with 500. */
  isDiscoveryFailing = false;
  /** Both token endpoints are answered with 500. */
  isTokenEndpointFailing = false;
  /** The list and the deletion of grants are answered with 500. */
  isGrantsApiFailing = false;
  /** Authorization codes are expired when they are handed in. */
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

  /** The standby key signs from now on, or a new one if there is none; older keys stay published. */
  async rotateKeys(): Promise<void> {
    await this.#options.keys.rotate();
    await this.#options.save();
  }

  /** Withdraws every key but the one that signs: tokens signed before are void. */
  async withdrawOldKeys(): Promise<void> {
    this.#options.keys.withdrawOthers();
    await this.#options.save();
  }

  /** Makes all well again; keys stay as they are. */
  reset(): void {
    this.keySet = "ok";
    this.isDiscoveryFailing = false;
    this.isTokenEndpointFailing = false;
    this.isGrantsApiFailing = false;
    this.areCodesExpired = false;
  }
}
