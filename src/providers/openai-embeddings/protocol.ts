import { asNumber, asRecords, parseJsonFrame } from '../../lib/json-frame.ts';

/** The body of an embeddings request. */
export function serializeEmbeddings(
  model: string,
  texts: readonly string[],
  dimensions: number | undefined,
): string {
  return JSON.stringify({
    model,
    // The API refuses an empty text; a space has no meaning either.
    input: texts.map((text) => text || ' '),
    ...(dimensions === undefined ? {} : { dimensions }),
    // A third of the size of JSON numbers, without rounding; servers without base64 send numbers.
    encoding_format: 'base64',
  });
}

/** The vectors in the order of the texts; undefined unless there is one unit vector per text. */
export function parseEmbeddings(body: string, count: number): Float32Array[] | undefined {
  const rows = asRecords(parseJsonFrame(body)?.data);
  const vectors: (Float32Array | undefined)[] = Array<undefined>(count).fill(undefined);
  for (const [place, row] of rows.entries()) {
    const index = asNumber(row.index) ?? place;
    const vector = vectorOf(row.embedding);
    if (vector && index >= 0 && index < count) vectors[index] = unit(vector);
  }
  const whole = vectors.filter((vector) => vector !== undefined);
  const [first] = whole;
  if (whole.length !== count || !first) return undefined;
  return whole.every((vector) => vector.length === first.length) ? whole : undefined;
}

function vectorOf(value: unknown): Float32Array | undefined {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
    const vector = new Float32Array(bytes.length / 4);
    for (let i = 0; i < vector.length; i++) vector[i] = bytes.readFloatLE(i * 4);
    return finite(vector);
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return finite(Float32Array.from(value, Number));
}

function finite(vector: Float32Array): Float32Array | undefined {
  return vector.every(Number.isFinite) ? vector : undefined;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
