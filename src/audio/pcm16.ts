const LITTLE_ENDIAN_HOST = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * Reads little-endian PCM16 bytes as samples: a view of the same memory if it is aligned, else a copy. Throws a
 * RangeError if the length is odd; callers report that as a protocol error of their own.
 */
export function pcm16FromBytes(bytes: Uint8Array): Int16Array {
  if (bytes.byteLength % 2 !== 0) {
    throw new RangeError(`PCM16 needs an even number of bytes, got ${bytes.byteLength}`);
  }
  if (LITTLE_ENDIAN_HOST) {
    if (bytes.byteOffset % 2 === 0) {
      return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
    }
    const copy = new Int16Array(bytes.byteLength / 2);
    new Uint8Array(copy.buffer).set(bytes);
    return copy;
  }
  return swapped(bytes);
}

/** Returns samples as little-endian PCM16 bytes: a view of the same memory. */
export function bytesFromPcm16(pcm: Int16Array): Uint8Array {
  const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return LITTLE_ENDIAN_HOST ? bytes : new Uint8Array(swapped(bytes).buffer);
}

/** Samples between -1 and 1 as PCM16; louder ones are clipped. */
export function pcm16FromFloats(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) =>
    Math.max(-32768, Math.min(32767, Math.round(sample * 32767))),
  );
}

export function joinPcm16(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function swapped(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.byteLength / 2);
  const view = new DataView(samples.buffer);
  for (let i = 0; i < bytes.byteLength; i += 2) {
    view.setUint8(i, bytes[i + 1] as number);
    view.setUint8(i + 1, bytes[i] as number);
  }
  return samples;
}
