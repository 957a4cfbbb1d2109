/** One of the two companding laws of ITU-T G.711; one byte a sample, 8000 bytes a second. */
export interface G711 {
  /** Encoded value of a silent line. */
  readonly silence: number;
  /** Fills `out` (as long as `payload`) and returns it. */
  decode(payload: Uint8Array, out?: Int16Array): Int16Array;
  /** Fills `out` (as long as `pcm`) and returns it. */
  encode(pcm: Int16Array, out?: Uint8Array): Uint8Array;
}

/** µ-law, 14 bits: North America, Japan, and the media sockets of carriers. */
export const mulaw: G711 = createG711({
  silence: 0xff,
  bits: 14,
  expand: expandMulaw,
  compress: compressMulaw,
});

/** A-law, 13 bits: the rest of the world. */
export const alaw: G711 = createG711({
  silence: 0xd5,
  bits: 13,
  expand: expandAlaw,
  compress: compressAlaw,
});

interface Law {
  readonly silence: number;
  readonly bits: 13 | 14;
  expand(code: number): number;
  compress(sample: number): number;
}

function createG711(law: Law): G711 {
  const expanded = Int16Array.from({ length: 256 }, (_, code) => law.expand(code));
  const shift = 16 - law.bits;
  const half = 1 << (law.bits - 1);
  // Indexed by the sample's upper bits plus `half`, so the index is never negative.
  const compressed = Uint8Array.from({ length: 2 * half }, (_, i) => law.compress(i - half));

  return {
    silence: law.silence,
    decode(payload, out = new Int16Array(payload.length)) {
      for (let i = 0; i < payload.length; i++) out[i] = expanded[payload[i] as number] as number;
      return out;
    },
    encode(pcm, out = new Uint8Array(pcm.length)) {
      for (let i = 0; i < pcm.length; i++) {
        out[i] = compressed[((pcm[i] as number) >> shift) + half] as number;
      }
      return out;
    },
  };
}

function expandMulaw(code: number): number {
  const inverted = ~code & 0xff;
  const segment = (inverted >> 4) & 7;
  const magnitude = ((2 * (inverted & 15) + 33) << segment) - 33;
  return (inverted & 0x80 ? -magnitude : magnitude) << 2;
}

/** Takes a 14-bit sample. A negative one is mirrored by its complement, as in ITU-T G.191. */
function compressMulaw(sample: number): number {
  const magnitude = Math.min((sample < 0 ? ~sample : sample) + 33, 0x1fff);
  const segment = 26 - Math.clz32(magnitude);
  const step = (magnitude >> (segment + 1)) & 15;
  const code = (segment << 4) | step;
  return ~(sample < 0 ? code | 0x80 : code) & 0xff;
}

function expandAlaw(code: number): number {
  const toggled = code ^ 0x55;
  const segment = (toggled >> 4) & 7;
  const step = 2 * (toggled & 15) + 1;
  const magnitude = segment === 0 ? step : (step + 32) << (segment - 1);
  return (toggled & 0x80 ? magnitude : -magnitude) << 3;
}

/** Takes a 13-bit sample; unlike in µ-law, a set sign bit means positive. */
function compressAlaw(sample: number): number {
  const magnitude = sample < 0 ? ~sample : sample;
  const segment = Math.max(0, 27 - Math.clz32(magnitude));
  const step = segment === 0 ? magnitude >> 1 : magnitude >> segment;
  const code = (segment << 4) | (step & 15);
  return (sample < 0 ? code : code | 0x80) ^ 0x55;
}
