import { readFile } from 'node:fs/promises';
import { createDecoder } from 'minimp3-wasm';
import { OpusDecoder } from 'opus-decoder';
import { StbVorbis } from 'stb-vorbis';
import { downmix } from '../audio/downmix.ts';
import { oggPackets, oggUntil } from '../audio/ogg-packets.ts';
import { parseWav, type WavAudio } from '../audio/parse-wav.ts';
import { joinPcm16, pcm16FromFloats } from '../audio/pcm16.ts';

/** Decoding in slices limits the decoder's memory, and a long file need not be decoded beyond its first two minutes. */
const SLICE_SECONDS = 10;
const OPUS_RATE_HZ = 48_000;
const NO_SOUND = 'the file holds no sound that can be decoded';

/**
 * Decodes WAV, MP3, Ogg Vorbis or Ogg Opus, recognised by its first bytes; of a compressed file, little more than
 * `maxSeconds`. Throws an error with a message for users.
 */
export function decodeSound(bytes: Uint8Array, maxSeconds: number): Promise<WavAudio> | WavAudio {
  const starts = (text: string, at = 0) =>
    Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text;
  // The first packet of an Ogg stream identifies the codec.
  if (starts('OggS') && starts('OpusHead', 28)) return decodeOpus(bytes, maxSeconds);
  if (starts('OggS') && starts('\x01vorbis', 28)) return decodeVorbis(bytes, maxSeconds);
  if (starts('OggS')) throw new Error('the Ogg file holds neither Vorbis nor Opus sound');
  const isMp3 = starts('ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);
  if (isMp3) return decodeMp3(bytes, maxSeconds);
  if (starts('RIFF')) return parseWav(bytes);
  throw new Error('the sound is no WAV, MP3, Ogg Vorbis or Ogg Opus file');
}

async function decodeMp3(bytes: Uint8Array, maxSeconds: number): Promise<WavAudio> {
  const file = new URL('decoder.opt.wasm', import.meta.resolve('minimp3-wasm'));
  // The decoder's loader accepts only URLs; a data URL needs no network.
  const code = `data:application/wasm;base64,${await readFile(file, 'base64')}`;
  const decoder = await createDecoder(bytes, code);
  const mono: Int16Array[] = [];
  let sampleRateHz = 0;
  for (let seconds = 0; seconds < maxSeconds; ) {
    const { pcm, numChannels, numSamples, samplingRate, duration } = decoder.decode(SLICE_SECONDS);
    if (numSamples === 0) break;
    mono.push(downmix(channelsOf(pcm, numChannels)));
    sampleRateHz ||= samplingRate;
    seconds += duration;
  }
  return wholeOf(mono, sampleRateHz);
}

async function decodeVorbis(bytes: Uint8Array, maxSeconds: number): Promise<WavAudio> {
  await StbVorbis.ready;
  // The identification header, https://xiph.org/vorbis/doc/Vorbis_I_spec.html#x1-630004.2.2
  const rateHz = Buffer.from(bytes).readUInt32LE(28 + 12);
  const { sampleRate, channels } = StbVorbis.decode(oggUntil(bytes, maxSeconds * rateHz));
  const [first, ...others] = channels.map(pcm16FromFloats);
  return wholeOf(first ? [downmix([first, ...others])] : [], sampleRate);
}

/** Decodes Ogg Opus (RFC 7845); ignores the output gain, because every loop is normalised. */
async function decodeOpus(bytes: Uint8Array, maxSeconds: number): Promise<WavAudio> {
  const packets = oggPackets(bytes);
  const head = Buffer.from(packets.next().value?.bytes ?? []);
  const channels = head[9] ?? 0;
  const family = head[18];
  if (channels === 0 || channels > 8 || head.length < (family === 0 ? 19 : 21 + channels))
    throw new Error(NO_SOUND);
  const preSkip = head.readUInt16LE(10);
  const decoder = new OpusDecoder({
    channels,
    preSkip,
    ...(family === 0
      ? {}
      : {
          streamCount: head.readUInt8(19),
          coupledStreamCount: head.readUInt8(20),
          channelMappingTable: [...head.subarray(21, 21 + channels)],
        }),
  });
  await decoder.ready;
  const mono: Int16Array[] = [];
  let samples = 0;
  let end = 0;
  try {
    // Skip the second packet, which holds the tags.
    packets.next();
    for (const packet of packets) {
      const { channelData, samplesDecoded, errors } = decoder.decodeFrame(packet.bytes);
      if (errors.length > 0) break;
      const [first, ...others] = channelData.map(pcm16FromFloats);
      if (first) mono.push(downmix([first, ...others]));
      samples += samplesDecoded;
      end = packet.granule - preSkip;
      if (samples >= maxSeconds * OPUS_RATE_HZ) break;
    }
  } finally {
    decoder.free();
  }
  // The last packet is padded; the granule of its page gives the end of the audio.
  const whole = wholeOf(mono, OPUS_RATE_HZ);
  return end > 0 && end < samples
    ? { ...whole, channels: [whole.channels[0].subarray(0, end)] }
    : whole;
}

function channelsOf(interleaved: Int16Array, count: number): [Int16Array, ...Int16Array[]] {
  const channel = (which: number) =>
    Int16Array.from(
      { length: Math.floor(interleaved.length / count) },
      (_, i) => interleaved[i * count + which] ?? 0,
    );
  return [channel(0), ...Array.from({ length: count - 1 }, (_, i) => channel(i + 1))];
}

function wholeOf(mono: readonly Int16Array[], sampleRateHz: number): WavAudio {
  const whole = joinPcm16(mono);
  if (whole.length === 0 || sampleRateHz === 0) throw new Error(NO_SOUND);
  return { sampleRateHz, channels: [whole] };
}
