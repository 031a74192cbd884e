/** Facts about the installation for replies. */
export interface Site {
  /** Address that people open, without a trailing slash. */
  readonly baseUrl: string;
  /** Contact for what no tool does: an e-mail address, a page, or whoever runs this. */
  readonly support: string;
}
