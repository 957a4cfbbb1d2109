const STEPS = 127;

/** A vector with one byte per dimension: a quarter of the size, with almost the same cosines. */
export function packVector(vector: Float32Array): Uint8Array {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const packed = new Int8Array(vector.length);
  if (most > 0)
    for (let i = 0; i < vector.length; i++)
      packed[i] = Math.round(((vector[i] as number) / most) * STEPS);
  return new Uint8Array(packed.buffer);
}

/** The cosine of a vector with a packed one. */
export function cosineWithPacked(vector: Float32Array, packed: Uint8Array): number {
  const values = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  if (values.length !== vector.length) return 0;
  let dot = 0;
  let own = 0;
  let other = 0;
  for (let i = 0; i < vector.length; i++) {
    const a = vector[i] as number;
    const b = values[i] as number;
    dot += a * b;
    own += a * a;
    other += b * b;
  }
  return own === 0 || other === 0 ? 0 : dot / Math.sqrt(own * other);
}

/** The signs of a vector's dimensions as bits; similar vectors differ in few of them. */
export function signBits(packed: Uint8Array | Float32Array): Uint32Array {
  const isNegative =
    packed instanceof Float32Array
      ? (i: number) => (packed[i] as number) < 0
      : (i: number) => (packed[i] as number) > STEPS;
  const bits = new Uint32Array(Math.ceil(packed.length / 32));
  for (let i = 0; i < packed.length; i++)
    if (isNegative(i)) bits[i >>> 5] = ((bits[i >>> 5] as number) | (1 << (i & 31))) >>> 0;
  return bits;
}
