/** An outbound call whose record is stored: queued, its line `trying`. */
export interface OutboundCall {
  readonly teamId: string;
  readonly callId: string;
  /** Id of the number that calls; its carrier, credentials and E.164 form stand there. */
  readonly numberId: string;
  /** E.164. */
  readonly to: string;
  /** Under which the carrier reaches this service, without a slash at its end. */
  readonly baseUrl: string;
}

/** Places outbound calls. */
export interface Dialer {
  /**
   * Resolves when the carrier has taken the call; what becomes of it is told to the call's record.
   * Rejects with ProviderError when the carrier refused or could not be reached: nothing is dialled then.
   */
  dial(call: OutboundCall, signal: AbortSignal): Promise<void>;
}
