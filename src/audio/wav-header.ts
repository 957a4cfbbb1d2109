/** Size of the header that {@link wavHeader} writes. */
export const WAV_HEADER_BYTES = 44;

/** Value of the length fields while the length is unknown; readers then read to the end of the file. */
const UNKNOWN_LENGTH = 0xffffffff;

export interface WavHeaderOptions {
  readonly sampleRateHz: number;
  readonly channels: number;
  /** Bytes of audio that follow. @defaultValue unknown: for a stream, or a file whose header is patched at the end */
  readonly dataBytes?: number;
}

/** The header of a PCM16 WAV file or of an endless stream. */
export function wavHeader({ sampleRateHz, channels, dataBytes }: WavHeaderOptions): Uint8Array {
  const header = new Uint8Array(WAV_HEADER_BYTES);
  const view = new DataView(header.buffer);
  writeTag(view, 0, 'RIFF');
  writeTag(view, 8, 'WAVE');
  writeTag(view, 12, 'fmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  writeTag(view, 36, 'data');
  view.setUint32(4, UNKNOWN_LENGTH, true);
  view.setUint32(40, UNKNOWN_LENGTH, true);
  if (dataBytes !== undefined) {
    for (const patch of wavLengthPatches(dataBytes)) header.set(patch.bytes, patch.offset);
  }
  return header;
}

/** Bytes that overwrite part of a header written by {@link wavHeader}, once the length is known. */
export interface WavPatch {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Patches for the two length fields. The format ends at 4 GiB: beyond it they stay "unknown". */
export function wavLengthPatches(dataBytes: number): readonly [WavPatch, WavPatch] {
  return [
    { offset: 4, bytes: uint32(dataBytes + WAV_HEADER_BYTES - 8) },
    { offset: 40, bytes: uint32(dataBytes) },
  ];
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Math.min(value, UNKNOWN_LENGTH), true);
  return bytes;
}

function writeTag(view: DataView, offset: number, tag: string): void {
  for (let i = 0; i < tag.length; i++) view.setUint8(offset + i, tag.charCodeAt(i));
}
