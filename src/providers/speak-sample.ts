import { joinPcm16 } from '../audio/pcm16.ts';
import { ProviderError } from '../lib/errors.ts';
import type { SpeechSample } from '../ports/speech-sample.ts';
import type { Tts, TtsRequest } from '../ports/tts.ts';

const TEST_SENTENCE = 'We are open from nine to five, every day of the week.';
const SAMPLE_RATE_HZ = 16_000;
/** Longer than any voice takes for the few words of a sample. */
const MAX_SECONDS = 60;

/** Speech for testing recognisers, made by the built-in voice. */
export function speakTestSentence(voice: Tts): Promise<SpeechSample> {
  const { signal } = new AbortController();
  return speakSample(voice, { text: TEST_SENTENCE, language: 'en-US', signal });
}

/** All that a voice says of a text, in one piece. Throws ProviderError; also for a voice that does not end. */
export async function speakSample(
  voice: Tts,
  request: Omit<TtsRequest, 'sampleRateHz'>,
): Promise<SpeechSample> {
  const chunks: Int16Array[] = [];
  let sampleRateHz = SAMPLE_RATE_HZ;
  let samples = 0;
  for await (const part of voice.synthesize({ ...request, sampleRateHz: SAMPLE_RATE_HZ })) {
    if (part.type !== 'audio') continue;
    chunks.push(part.pcm);
    sampleRateHz = part.sampleRateHz;
    samples += part.pcm.length;
    if (samples > MAX_SECONDS * sampleRateHz)
      throw new ProviderError({
        class: 'protocol',
        provider: voice.provider,
        code: 'sample_too_long',
        message: `${voice.provider} says more than the sample`,
      });
  }
  return { pcm: joinPcm16(chunks), sampleRateHz };
}
