import { alaw, mulaw } from './g711.ts';

export interface WavAudio {
  readonly sampleRateHz: number;
  /** At least one; all have the same length. */
  readonly channels: readonly [Int16Array, ...Int16Array[]];
}

export type WavErrorCode = 'not-wav' | 'no-format' | 'no-data' | 'bad-format' | 'unsupported';

/** The file is not a WAV file or uses an unsupported format; the message is written for users. */
export class WavError extends Error {
  override readonly name = 'WavError';
  readonly code: WavErrorCode;

  constructor(code: WavErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

interface Format {
  readonly encoding: string;
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly bytesPerSample: number;
}

const MAX_CHANNELS = 16;
const MAX_RATE_HZ = 192_000;
const FORMAT_NAMES = new Map([
  [1, 'pcm'],
  [3, 'float'],
  [6, 'alaw'],
  [7, 'mulaw'],
]);
const EXTENSIBLE = 0xfffe;

const full = (value: number): number =>
  Math.max(-32768, Math.min(32767, Math.round(value * 32768))) || 0;

const SAMPLE_READERS: Readonly<Record<string, (view: DataView, offset: number) => number>> = {
  pcm8: (view, offset) => (view.getUint8(offset) - 128) << 8,
  pcm16: (view, offset) => view.getInt16(offset, true),
  pcm24: (view, offset) => view.getInt16(offset + 1, true),
  pcm32: (view, offset) => view.getInt16(offset + 2, true),
  float32: (view, offset) => full(view.getFloat32(offset, true)),
  float64: (view, offset) => full(view.getFloat64(offset, true)),
  mulaw8: (view, offset) => decodeOne(mulaw, view.getUint8(offset)),
  alaw8: (view, offset) => decodeOne(alaw, view.getUint8(offset)),
};

/**
 * Reads a whole WAV file: PCM of 8 to 32 bits, float or G.711, any number of channels. If the length fields are
 * unknown, too large or zero (a truncated stream), it reads to the end of the file. Throws {@link WavError}.
 */
export function parseWav(bytes: Uint8Array): WavAudio {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 12 || tag(view, 0) !== 'RIFF' || tag(view, 8) !== 'WAVE') {
    throw new WavError('not-wav', 'not a WAV file: it does not start with RIFF…WAVE');
  }
  let format: Format | undefined;
  for (let offset = 12; offset + 8 <= bytes.byteLength; ) {
    const name = tag(view, offset);
    const size = view.getUint32(offset + 4, true);
    const start = offset + 8;
    const available = bytes.byteLength - start;
    if (name === 'fmt ') format = parseFormat(view, start, Math.min(size, available));
    if (name === 'data') {
      if (!format) throw new WavError('no-format', 'the WAV file has audio before its format');
      const open = size > available || (size === 0 && available > 0);
      return readSamples(view, start, open ? available : size, format);
    }
    // Chunks are padded to an even length.
    offset = start + size + (size % 2);
  }
  throw format
    ? new WavError('no-data', 'the WAV file ends before its audio')
    : new WavError('no-format', 'the WAV file says nothing of its format');
}

function parseFormat(view: DataView, start: number, size: number): Format {
  if (size < 16) throw new WavError('bad-format', `the WAV format chunk has ${size} bytes, not 16`);
  let tagNumber = view.getUint16(start, true);
  if (tagNumber === EXTENSIBLE && size >= 26) tagNumber = view.getUint16(start + 24, true);
  const channels = view.getUint16(start + 2, true);
  const sampleRateHz = view.getUint32(start + 4, true);
  const bits = view.getUint16(start + 14, true);
  const encoding = `${FORMAT_NAMES.get(tagNumber) ?? `format ${tagNumber}, `}${bits}`;
  if (!(encoding in SAMPLE_READERS)) {
    throw new WavError(
      'unsupported',
      `WAV encoding not supported: ${encoding} bits (PCM 8-32, float or G.711 are)`,
    );
  }
  if (channels < 1 || channels > MAX_CHANNELS || sampleRateHz < 1 || sampleRateHz > MAX_RATE_HZ) {
    throw new WavError('bad-format', `WAV format out of range: ${channels} x ${sampleRateHz} Hz`);
  }
  return { encoding, channels, sampleRateHz, bytesPerSample: bits / 8 };
}

function readSamples(view: DataView, start: number, size: number, format: Format): WavAudio {
  const read = SAMPLE_READERS[format.encoding] as (view: DataView, offset: number) => number;
  const frames = Math.floor(size / (format.bytesPerSample * format.channels));
  const channels = Array.from({ length: format.channels }, () => new Int16Array(frames));
  let offset = start;
  for (let i = 0; i < frames; i++) {
    for (const channel of channels) {
      channel[i] = read(view, offset);
      offset += format.bytesPerSample;
    }
  }
  return {
    sampleRateHz: format.sampleRateHz,
    channels: channels as [Int16Array, ...Int16Array[]],
  };
}

const oneByte = new Uint8Array(1);
const oneSample = new Int16Array(1);

function decodeOne(law: typeof mulaw, code: number): number {
  oneByte[0] = code;
  return law.decode(oneByte, oneSample)[0] as number;
}

function tag(view: DataView, offset: number): string {
  return String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  );
}
