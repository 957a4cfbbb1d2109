/** Reads `bytes` bytes of a file from `offset`; fewer at its end. */
export type ReadAt = (offset: number, bytes: number) => Uint8Array;

// Fields of onnx.ModelProto and onnx.StringStringEntryProto (onnx/onnx.proto).
const METADATA_PROPS = 14;
const KEY = 1;
const VALUE = 2;
const VARINT_BYTES = 10;
const MAX_ENTRY_BYTES = 1024 * 1024;

/** Reads a model's metadata without its weights. Throws RangeError when the file is not ONNX. */
export function readOnnxMetadata(read: ReadAt, fileBytes: number): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let at = 0; at < fileBytes; ) {
    const field = readField(read(at, 2 * VARINT_BYTES));
    const start = at + field.headerBytes;
    if (start + field.bytes > fileBytes) throw new RangeError('not an ONNX model');
    if (field.number === METADATA_PROPS && field.bytes <= MAX_ENTRY_BYTES) {
      const [key, value] = readEntry(read(start, field.bytes));
      metadata[key] = value;
    }
    at = start + field.bytes;
  }
  return metadata;
}

function readEntry(entry: Uint8Array): readonly [string, string] {
  const texts: Record<number, string> = {};
  for (let at = 0; at < entry.length; ) {
    const field = readField(entry.subarray(at));
    const start = at + field.headerBytes;
    texts[field.number] = new TextDecoder().decode(entry.subarray(start, start + field.bytes));
    at = start + field.bytes;
  }
  return [texts[KEY] ?? '', texts[VALUE] ?? ''];
}

/** A field's number, the length of its header and the length of its content. */
function readField(bytes: Uint8Array): { number: number; headerBytes: number; bytes: number } {
  const [tag, afterTag] = readVarint(bytes, 0);
  const number = Math.floor(tag / 8);
  const wireType = tag % 8;
  if (number === 0) throw new RangeError('not an ONNX model');
  if (wireType === 2) {
    const [length, afterLength] = readVarint(bytes, afterTag);
    return { number, headerBytes: afterLength, bytes: length };
  }
  if (wireType === 0) {
    const [, after] = readVarint(bytes, afterTag);
    return { number, headerBytes: after, bytes: 0 };
  }
  if (wireType === 1) return { number, headerBytes: afterTag, bytes: 8 };
  if (wireType === 5) return { number, headerBytes: afterTag, bytes: 4 };
  throw new RangeError('not an ONNX model');
}

function readVarint(bytes: Uint8Array, from: number): readonly [number, number] {
  let value = 0;
  for (let i = 0; i < VARINT_BYTES; i++) {
    const byte = bytes[from + i];
    if (byte === undefined) throw new RangeError('not an ONNX model');
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return [value, from + i + 1];
  }
  throw new RangeError('not an ONNX model');
}
