/** The range of bytes in a text frame that holds its base64 audio. */
export interface AudioRange {
  readonly from: number;
  readonly to: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const LAST_ASCII = 0x7f;

/**
 * Finds the audio of `{"event":"media","<streamKey>":"<streamId>","media":{"payload":"…",…},…}` without parsing the
 * frame: keys may be in any order, values must be plain strings. Undefined for any other frame, which must be parsed as
 * JSON.
 */
export function scanMediaFrame(
  bytes: Uint8Array,
  streamKey: string,
  streamId: string,
): AudioRange | undefined {
  if (bytes[0] !== OPEN) return undefined;
  let isMedia = false;
  let isStream = false;
  let audio: AudioRange | undefined;
  for (let at = 1; ; at++) {
    const keyEnd = endOfText(bytes, at);
    if (keyEnd < 0 || bytes[keyEnd] !== COLON) return undefined;
    const isNested = bytes[keyEnd + 1] === OPEN;
    let end: number;
    if (isNested) {
      const found = isText(bytes, at, 'media') && !audio ? scanMedia(bytes, keyEnd + 1) : undefined;
      if (!found) return undefined;
      audio = found;
      end = found.end;
    } else {
      end = endOfText(bytes, keyEnd + 1);
      if (end < 0) return undefined;
      if (isText(bytes, at, 'event')) {
        if (isMedia || !isText(bytes, keyEnd + 1, 'media')) return undefined;
        isMedia = true;
      } else if (isText(bytes, at, streamKey)) {
        if (isStream || !isText(bytes, keyEnd + 1, streamId)) return undefined;
        isStream = true;
      } else if (isText(bytes, at, 'media')) {
        return undefined;
      }
    }
    if (bytes[end] === CLOSE)
      return end + 1 === bytes.length && isMedia && isStream ? audio : undefined;
    if (bytes[end] !== COMMA) return undefined;
    at = end;
  }
}

/** Scans the object of strings that opens at `from`; `end` is the index after it. */
function scanMedia(
  bytes: Uint8Array,
  from: number,
): (AudioRange & { readonly end: number }) | undefined {
  let payload: AudioRange | undefined;
  for (let at = from + 1; ; at++) {
    const keyEnd = endOfText(bytes, at);
    if (keyEnd < 0 || bytes[keyEnd] !== COLON) return undefined;
    const end = endOfText(bytes, keyEnd + 1);
    if (end < 0) return undefined;
    if (isText(bytes, at, 'payload')) {
      if (payload) return undefined;
      payload = { from: keyEnd + 2, to: end - 1 };
    } else if (isText(bytes, at, 'track') && !isText(bytes, keyEnd + 1, 'inbound')) {
      return undefined;
    }
    if (bytes[end] === CLOSE) return payload && { ...payload, end: end + 1 };
    if (bytes[end] !== COMMA) return undefined;
    at = end;
  }
}

/** The index after the string that opens at `from`; negative if there is none or it is not plain ASCII. */
function endOfText(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== QUOTE) return -1;
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH || byte < FIRST_PRINTABLE || byte > LAST_ASCII) return -1;
  }
  return -1;
}

/** True if the string that opens at `from` is `text`. */
function isText(bytes: Uint8Array, from: number, text: string): boolean {
  if (bytes[from + text.length + 1] !== QUOTE) return false;
  for (let i = 0; i < text.length; i++)
    if (bytes[from + 1 + i] !== text.charCodeAt(i)) return false;
  return true;
}
