// Samples lie in memory as they do on the wire: the processors that Node runs on here, x64 and arm64, are little-endian.

/**
 * Reads little-endian PCM16 bytes as samples: a view of the same memory if it is aligned, else a copy. Throws a
 * RangeError if the length is odd; callers report that as a protocol error of their own.
 */
export function pcm16FromBytes(bytes: Uint8Array): Int16Array {
  if (bytes.byteLength % 2 !== 0) {
    throw new RangeError(`PCM16 needs an even number of bytes, got ${bytes.byteLength}`);
  }
  if (bytes.byteOffset % 2 === 0) {
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  }
  const copy = new Int16Array(bytes.byteLength / 2);
  new Uint8Array(copy.buffer).set(bytes);
  return copy;
}

/** Returns samples as little-endian PCM16 bytes: a view of the same memory. */
export function bytesFromPcm16(pcm: Int16Array): Uint8Array {
  return new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
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
