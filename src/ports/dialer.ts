/** An outbound call with a stored record: status queued, leg status `trying`. */
export interface OutboundCall {
  readonly teamId: string;
  readonly callId: string;
  /** Id of the calling number; its record holds the carrier, the credentials and the E.164 form. */
  readonly numberId: string;
  /** E.164. */
  readonly to: string;
  /** The URL under which the carrier reaches this service, without a trailing slash. */
  readonly baseUrl: string;
}

/** Places outbound calls. */
export interface Dialer {
  /**
   * Resolves when the carrier has accepted the call; later results go to the call's record. Rejects with
   * ProviderError when the carrier refused or could not be reached: then nothing is dialled.
   */
  dial(call: OutboundCall, signal: AbortSignal): Promise<void>;
}
