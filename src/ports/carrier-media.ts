/** A frame of a carrier's media socket. */
export type WireFrame = string | Uint8Array;

/** Events that a carrier sends over the media socket. */
export type CarrierMediaEvent =
  | {
      readonly type: 'started';
      /** The carrier's id of the call; it must match the call that the token was issued for. */
      readonly carrierCallId?: string;
    }
  | { readonly type: 'audio'; readonly pcm: Int16Array }
  | { readonly type: 'dtmf'; readonly digit: string }
  | { readonly type: 'mark'; readonly name: string }
  /** The far end's buffer is nearly full, or has room again. */
  | { readonly type: 'congested'; readonly on: boolean }
  /** The carrier has ended the call. */
  | { readonly type: 'stopped' }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

/** Why this side closes a media socket. */
export interface MediaFault {
  readonly code: string;
  readonly message: string;
  readonly closeCode: 1002 | 1003 | 1008 | 1009;
}

export type ParsedMedia =
  | { readonly ok: true; readonly events: readonly CarrierMediaEvent[] }
  | { readonly ok: false; readonly fault: MediaFault };

/** The protocol of one media socket, pure: frames in, events out; commands in, frames out. */
export interface CarrierMediaProtocol {
  /** Rate of the PCM16 in both directions, known once the stream has started. @defaultValue 8000 */
  readonly sampleRateHz?: number | undefined;
  parse(frame: WireFrame): ParsedMedia;
  /**
   * The fast path for a text frame that holds only the caller's audio: returns its samples, valid until the next
   * frame. Undefined: the frame needs `parse`.
   */
  parseAudio?(bytes: Uint8Array): Int16Array | undefined;
  audio(pcm: Int16Array): readonly WireFrame[];
  mark(name: string): readonly WireFrame[];
  clear(): readonly WireFrame[];
  /** The frames that announce the end of the call, sent before the socket closes. */
  end(): readonly WireFrame[];
}
