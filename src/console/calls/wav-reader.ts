/** Format of a WAV file. */
export interface WavFormat {
  readonly sampleRateHz: number;
  readonly channels: number;
}

const PCM = 1;
const LONGEST_HEADER_BYTES = 64 * 1024;

/** The bytes are not a two-channel PCM WAV file. */
export class WavError extends Error {
  override readonly name = 'WavError';
}

/** Reads a two-channel 16-bit WAV file from chunks of any size. */
export class WavReader {
  readonly #onFormat: (format: WavFormat) => void;
  readonly #onSamples: (interleaved: Int16Array) => void;
  /** Bytes that do not yet complete the header or a frame. */
  #rest = new Uint8Array(0);
  #inData = false;
  #leftBytes = 0;

  constructor(handlers: {
    readonly onFormat: (format: WavFormat) => void;
    readonly onSamples: (interleaved: Int16Array) => void;
  }) {
    this.#onFormat = handlers.onFormat;
    this.#onSamples = handlers.onSamples;
  }

  /** Throws {@link WavError} if the format is not supported. */
  push(bytes: Uint8Array): void {
    let data = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    this.#rest = new Uint8Array(0);
    if (!this.#inData) {
      const start = this.#readHeader(data);
      if (start === undefined) {
        if (data.length > LONGEST_HEADER_BYTES) throw new WavError('the header has no end');
        this.#rest = data.slice();
        return;
      }
      data = data.subarray(start);
    }
    const take = Math.min(data.length, this.#leftBytes);
    const whole = take - (take % 4);
    this.#leftBytes -= whole;
    // Copied, because samples must be aligned in memory and chunks may not be.
    if (whole > 0) this.#onSamples(new Int16Array(data.slice(0, whole).buffer));
    this.#rest = data.slice(whole, take);
  }

  /** Offset of the samples; undefined while the header is incomplete. */
  #readHeader(data: Uint8Array): number | undefined {
    if (data.length < 12) return undefined;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (tag(data, 0) !== 'RIFF' || tag(data, 8) !== 'WAVE') throw new WavError('this is no WAV');
    let format: WavFormat | undefined;
    for (let at = 12; at + 8 <= data.length; ) {
      const name = tag(data, at);
      const size = view.getUint32(at + 4, true);
      if (name === 'data') {
        if (!format) throw new WavError('the format is missing');
        this.#inData = true;
        // A recording that was cut short does not know its length and states 0 or the maximum.
        this.#leftBytes = size === 0 || size >= 0xffff_ff00 ? Number.POSITIVE_INFINITY : size;
        this.#onFormat(format);
        return at + 8;
      }
      if (name === 'fmt ') {
        if (at + 24 > data.length) return undefined;
        format = readFormat(view, at + 8);
      }
      at += 8 + size + (size % 2);
    }
    return undefined;
  }
}

function readFormat(view: DataView, at: number): WavFormat {
  const channels = view.getUint16(at + 2, true);
  const bits = view.getUint16(at + 14, true);
  if (view.getUint16(at, true) !== PCM || channels !== 2 || bits !== 16) {
    throw new WavError('only two channels of 16-bit PCM can be drawn');
  }
  return { sampleRateHz: view.getUint32(at + 4, true), channels };
}

function tag(data: Uint8Array, at: number): string {
  return String.fromCharCode(...data.subarray(at, at + 4));
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
