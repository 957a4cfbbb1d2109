/** A vendor was given up in the middle of a call, and another took its place: the caller noticed a delay at most. */
export interface Failover {
  readonly vendor: string;
  /** Of a model, the same vendor: it was asked again. */
  readonly successor: string;
  readonly error: unknown;
  /** What the change cost: from the request, or from the break of an open line, until the successor took over. */
  readonly delayMs: number;
}
