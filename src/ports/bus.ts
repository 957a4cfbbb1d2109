/** Answers a question from another node; both sides know the shapes of the subject. */
export type BusHandler = (body: unknown, signal: AbortSignal) => Promise<unknown>;

/** Questions between the processes that share a database, each with a deadline. */
export interface Bus {
  /** Id of this process. */
  readonly nodeId: string;
  /**
   * The other node's answer, parsed from JSON. Rejects with NodeAwayError when that node is dead, unreachable,
   * overloaded or does not answer before the deadline; rejects with the signal's reason when the signal aborts.
   */
  ask(
    nodeId: string,
    subject: string,
    body: unknown,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<unknown>;
  /** Registers the handler of a subject; call it before other nodes know this process. */
  answer(subject: string, handler: BusHandler): void;
}
