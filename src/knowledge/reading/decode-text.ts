const SAMPLE_BYTES = 256 * 1024;
const MAX_CONTROL_SHARE = 0.01;

/** Decodes UTF-8, UTF-16 with a byte order mark, else Windows-1252; undefined if the bytes are not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode('utf-16le', bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode('utf-16be', bytes);
  if (looksBinary(bytes)) return undefined;
  return decode('utf-8', bytes) ?? decode('windows-1252', bytes);
}

function decode(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Text has no NUL and few control characters; a log may have some for colours. */
function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let controls = 0;
  for (const byte of sample)
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b) controls++;
  return controls > sample.length * MAX_CONTROL_SHARE;
}
