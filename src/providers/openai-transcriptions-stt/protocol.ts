import { bytesFromPcm16 } from '../../audio/pcm16.ts';
import { wavHeader } from '../../audio/wav-header.ts';
import { asNumber, asRecords, asText, parseJsonFrame } from '../../lib/json-frame.ts';
import { boundedHints, primaryLanguages } from '../recognition-hints.ts';

export interface TranscriptionRequest {
  readonly model: string;
  readonly languages: readonly string[];
  readonly hints: readonly string[];
  readonly sampleRateHz: number;
  readonly pcm: Int16Array;
}

const BOUNDARY = 'parley-b7c0f6c2a94e4f0d8f55';
const HINT_LIMITS = { terms: 100, termChars: 100, totalChars: 800 } as const;
/** Whisper hallucinates text in noise, but also reports how uncertain it is. */
const NO_SPEECH_PROBABILITY = 0.6;
const DOUBTFUL_LOG_PROBABILITY = -1;

export const TRANSCRIPTION_CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The request body: a form with the audio as a WAV file. */
export function serializeTranscription(request: TranscriptionRequest): Uint8Array {
  const { pcm, sampleRateHz, model } = request;
  const languages = primaryLanguages(request.languages);
  const hints = boundedHints(request.hints, HINT_LIMITS);
  const fields: Record<string, string> = {
    model,
    // Only whisper reports confidence; the other models reject `verbose_json`.
    response_format: /whisper/i.test(model) ? 'verbose_json' : 'json',
    ...(languages.length === 1 ? { language: languages[0] as string } : {}),
    ...(hints.length > 0 ? { prompt: `Names: ${hints.join(', ')}.` } : {}),
  };
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file =
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="speech.wav"\r\n` +
    'content-type: audio/wav\r\n\r\n';
  return Buffer.concat([
    Buffer.from(parts.join('') + file),
    wavHeader({ sampleRateHz, channels: 1, dataBytes: pcm.byteLength }),
    bytesFromPcm16(pcm),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** The recognised text; empty for noise. Undefined for a malformed answer. */
export function parseTranscription(body: string): string | undefined {
  const answer = parseJsonFrame(body);
  if (typeof answer?.text !== 'string') return undefined;
  if (!Array.isArray(answer.segments)) return answer.text.trim();
  return asRecords(answer.segments)
    .filter(
      (segment) =>
        !(
          (asNumber(segment.no_speech_prob) ?? 0) > NO_SPEECH_PROBABILITY &&
          (asNumber(segment.avg_logprob) ?? 0) < DOUBTFUL_LOG_PROBABILITY
        ),
    )
    .map((segment) => asText(segment.text))
    .join('')
    .trim();
}
