/** A frame of a carrier's media socket. */
export type WireFrame = string | Uint8Array;

/** What a carrier says over the media socket. */
export type CarrierMediaEvent =
  | {
      readonly type: 'started';
      /** The carrier's id of the call, to be compared with the one the token stands for. */
      readonly carrierCallId?: string;
    }
  | { readonly type: 'audio'; readonly pcm: Int16Array }
  | { readonly type: 'dtmf'; readonly digit: string }
  | { readonly type: 'mark'; readonly name: string }
  /** The far end's buffer is nearly full, or has room again. */
  | { readonly type: 'congested'; readonly on: boolean }
  /** The call is over at the carrier. */
  | { readonly type: 'stopped' }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

/** Why a media socket is closed from here. */
export interface MediaFault {
  readonly code: string;
  readonly message: string;
  readonly closeCode: 1002 | 1003 | 1008 | 1009;
}

export type ParsedMedia =
  | { readonly ok: true; readonly events: readonly CarrierMediaEvent[] }
  | { readonly ok: false; readonly fault: MediaFault };

/** One media socket's language, pure: frames in, events out; commands in, frames out. */
export interface CarrierMediaProtocol {
  /** Of the PCM16 in both directions, known once the stream has started. @defaultValue 8000 */
  readonly sampleRateHz?: number | undefined;
  parse(frame: WireFrame): ParsedMedia;
  /**
   * The quick way for a text frame that holds the caller's audio and nothing else of note, as it came: its
   * samples, valid until the next frame. Nothing: the frame is to be parsed.
   */
  parseAudio?(bytes: Uint8Array): Int16Array | undefined;
  audio(pcm: Int16Array): readonly WireFrame[];
  mark(name: string): readonly WireFrame[];
  clear(): readonly WireFrame[];
  /** What the end of the call is said with before the socket is closed. */
  end(): readonly WireFrame[];
}
