/** What one node asks of another; both sides know the subject's shapes. */
export type BusHandler = (body: unknown, signal: AbortSignal) => Promise<unknown>;

/** Questions between the processes that share a database, each with a deadline. */
export interface Bus {
  /** Of this process. */
  readonly nodeId: string;
  /**
   * The other's answer, as JSON carries it. Rejects with NodeAwayError when it is dead, out of reach, silent for
   * longer than the deadline, or asked too much; with the signal's reason when that fires.
   */
  ask(
    nodeId: string,
    subject: string,
    body: unknown,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<unknown>;
  /** Says who answers the questions on a subject; before the process is known to the others. */
  answer(subject: string, handler: BusHandler): void;
}
