import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { MPEGDecoder } from 'mpg123-decoder';
import { parseWav, type WavAudio } from '../audio/parse-wav.ts';

interface Decoded {
  readonly channelData: readonly Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

/** A compressed stream, decoded a slice at a time. */
interface StreamDecoder {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>;
  flush?(): Promise<Decoded>;
  free(): void;
}

/** Small enough that a file of hours is left after its first two minutes. */
const SLICE_BYTES = 64 * 1024;

/** Reads WAV, MP3 or Ogg Vorbis, told by its first bytes; of a compressed file, little more than `maxSeconds`. */
export function decodeSound(bytes: Uint8Array, maxSeconds: number): Promise<WavAudio> | WavAudio {
  const starts = (text: string, at = 0) =>
    Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text;
  if (starts('OggS')) {
    // The first packet of a stream says which codec it is.
    if (!starts('\x01vorbis', 28)) throw new Error('the Ogg file holds no Vorbis sound');
    return decodeStream(new OggVorbisDecoder(), bytes, maxSeconds);
  }
  const isMp3 = starts('ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);
  if (isMp3) return decodeStream(new MPEGDecoder(), bytes, maxSeconds);
  if (starts('RIFF')) return parseWav(bytes);
  throw new Error('the sound is no WAV, MP3 or Ogg Vorbis file');
}

async function decodeStream(
  decoder: StreamDecoder,
  bytes: Uint8Array,
  maxSeconds: number,
): Promise<WavAudio> {
  await decoder.ready;
  const mono: Int16Array[] = [];
  let samples = 0;
  let sampleRateHz = 0;
  const take = ({ channelData, samplesDecoded, sampleRate }: Decoded): void => {
    if (samplesDecoded === 0) return;
    mono.push(toMono(channelData, samplesDecoded));
    samples += samplesDecoded;
    sampleRateHz = sampleRate;
  };
  try {
    const isEnough = () => sampleRateHz > 0 && samples >= maxSeconds * sampleRateHz;
    for (let at = 0; at < bytes.length && !isEnough(); at += SLICE_BYTES)
      take(await decoder.decode(bytes.subarray(at, at + SLICE_BYTES)));
    if (!isEnough() && decoder.flush) take(await decoder.flush());
  } finally {
    decoder.free();
  }
  if (samples === 0) throw new Error('the file holds no sound that can be decoded');
  const whole = new Int16Array(samples);
  let offset = 0;
  for (const part of mono) {
    whole.set(part, offset);
    offset += part.length;
  }
  return { sampleRateHz, channels: [whole] };
}

function toMono(channels: readonly Float32Array[], length: number): Int16Array {
  return Int16Array.from({ length }, (_, i) => {
    const sum = channels.reduce((total, channel) => total + (channel[i] ?? 0), 0);
    return Math.max(-32768, Math.min(32767, Math.round((sum / channels.length) * 32767)));
  });
}
