/** Facts about the installation for replies. */
export interface Site {
  /** Address at which people open the pages, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Support contact for requests that no tool fulfills: an e-mail address, a page, or a phrase for the
   * operator.
   */
  readonly support: string;
}
