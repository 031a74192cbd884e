/** What replies say of the installation that answers. */
export interface Site {
  /** Address that people open, without a slash at the end. */
  readonly baseUrl: string;
  /** Where people turn to for what no tool does: an e-mail address, a page, or who runs this. */
  readonly support: string;
}
