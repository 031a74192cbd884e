import type { SealedCookies } from "../sessions/sealed-cookies.ts";

const PURPOSE = "invitation";
/** How long the identity provider accepts an invitation. */
const SEALED_SECONDS = 3_600;

/** Keeps the link of an invitation from everybody but the pages while its mail waits. */
export class SealedLinks {
  readonly #seals: Pick<SealedCookies, "seal" | "open">;

  constructor(seals: Pick<SealedCookies, "seal" | "open">) {
    this.#seals = seals;
  }

  async seal(link: string): Promise<Uint8Array> {
    return Buffer.from(await this.#seals.seal({ link }, PURPOSE, SEALED_SECONDS));
  }

  /** The link; undefined when it is too old or was not sealed here. */
  async open(sealed: Uint8Array): Promise<string | undefined> {
    const opened = await this.#seals.open(Buffer.from(sealed).toString(), PURPOSE);
    const link = opened?.["link"];
    return typeof link === "string" ? link : undefined;
  }
}
