import type { CarrierMediaEvent, MediaFault, ParsedMedia } from '../ports/carrier-media.ts';

/** Largest text frame of a carrier; 30 s of audio in base64 is below it. */
export const MAX_TEXT_CHARS = 512 * 1024;
const MAX_AUDIO_BYTES = 256 * 1024;

export const mediaFaults = {
  tooBig: fault('frame-too-big', 'the frame is larger than any carrier sends', 1009),
  notJson: fault('bad-message', 'a text frame must be a JSON object', 1003),
  binary: fault('binary-frame', 'this carrier sends text frames only', 1003),
  unstarted: fault('start-expected', 'media came before the start of the stream', 1002),
  startTwice: fault('unexpected-start', 'the stream has already started', 1002),
  otherStream: fault('other-stream', 'the frame belongs to another stream', 1002),
  format: fault('unsupported-format', 'the audio format is not one that was asked for', 1003),
  payload: fault('bad-payload', 'the audio payload is not base64', 1003),
} as const satisfies Record<string, MediaFault>;

export function mediaEvents(...events: readonly CarrierMediaEvent[]): ParsedMedia {
  return { ok: true, events };
}

export function mediaFault(cause: MediaFault): ParsedMedia {
  return { ok: false, fault: cause };
}

/** The bytes of a base64 payload; undefined if it is not base64 or too long. */
export function decodePayload(payload: unknown): Uint8Array | undefined {
  if (typeof payload !== 'string' || payload.length > MAX_AUDIO_BYTES) return undefined;
  const bytes = Buffer.from(payload, 'base64');
  // Node skips invalid characters, so only the length shows that there were some.
  const padding = payload.endsWith('==') ? 2 : payload.endsWith('=') ? 1 : 0;
  const expected = Math.floor(((payload.length - padding) * 3) / 4);
  return bytes.length === expected ? bytes : undefined;
}

export function isDigit(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9A-D*#]$/.test(value);
}

function fault(code: string, message: string, closeCode: MediaFault['closeCode']): MediaFault {
  return { code, message, closeCode };
}
