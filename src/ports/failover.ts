/** The session switched to another vendor in the middle of a call; the caller noticed at most a delay. */
export interface Failover {
  readonly vendor: string;
  /** For a language model this can be the same vendor, asked again. */
  readonly successor: string;
  readonly error: unknown;
  /** Time lost: from the request, or from the break of an open connection, until the successor took over. */
  readonly delayMs: number;
}
