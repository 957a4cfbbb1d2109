import { bytesFromPcm16 } from '../../audio/pcm16.ts';
import {
  asNumber,
  asRecord,
  asRecords,
  asText,
  type JsonObject,
  parseJsonFrame,
} from '../../lib/json-frame.ts';
import { boundedHints, primaryLanguages } from '../recognition-hints.ts';
import type { HeardFrame, SttDialogue, SttSetup, SttVendor } from '../stt-socket/stt-vendor.ts';
import { DEFAULT_MODELS } from '../vendor-defaults.ts';
import { socketUrl } from '../vendor-url.ts';

export interface DeepgramSttOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.deepgram.com` */
  readonly baseUrl?: string;
  /** @defaultValue the one in `vendor-defaults.ts` */
  readonly model?: string;
}

const PROVIDER = 'deepgram';
/** Regions with their own model; elsewhere only the language is sent. */
const REGIONAL =
  /^(?:en-(?:US|AU|GB|IN|NZ)|fr-CA|es-419|pt-(?:BR|PT)|de-CH|nl-BE|zh-(?:CN|TW|HK))$/i;
/** Languages of its multilingual model. */
const MIXED = new Set(['en', 'es', 'fr', 'de', 'hi', 'ru', 'pt', 'ja', 'it', 'nl']);
/** The limit is 500 tokens in total; these values stay safely below it. */
export const KEYTERM_LIMITS = { terms: 100, termChars: 100, totalChars: 1500 } as const;

function language(tags: readonly string[]): string {
  const [first = 'en'] = tags;
  const primaries = primaryLanguages(tags);
  if (primaries.length > 1 && primaries.every((tag) => MIXED.has(tag))) return 'multi';
  return REGIONAL.test(first) ? first : (primaries[0] ?? 'en');
}

function url(options: DeepgramSttOptions, setup: SttSetup): string {
  const spoken = language(setup.languages);
  const address = new URL(
    socketUrl(options.baseUrl ?? 'https://api.deepgram.com', '/v1/listen', {
      model: options.model ?? DEFAULT_MODELS.stt.deepgram.name,
      language: spoken,
      encoding: 'linear16',
      sample_rate: setup.sampleRateHz,
      channels: 1,
      interim_results: true,
      smart_format: true,
      // Our VAD requests the final text sooner; this applies when it misses an end.
      endpointing: spoken === 'multi' ? 100 : 300,
    }),
  );
  for (const hint of boundedHints(setup.hints, KEYTERM_LIMITS))
    address.searchParams.append('keyterm', hint);
  return address.href;
}

class DeepgramDialogue implements SttDialogue {
  readonly audio = bytesFromPcm16;
  readonly flush = JSON.stringify({ type: 'Finalize' });
  readonly keepAlive = JSON.stringify({ type: 'KeepAlive' });
  readonly farewell = JSON.stringify({ type: 'CloseStream' });
  #settledMs = 0;
  #segment = 0;

  receive(frame: string | Uint8Array): readonly HeardFrame[] {
    const message = parseJsonFrame(frame);
    if (!message) return [{ type: 'malformed' }];
    return message.type === 'Results' ? this.#results(message) : [];
  }

  #results(message: JsonObject): HeardFrame[] {
    const [best] = asRecords(asRecord(message.channel)?.alternatives);
    const [start, duration] = [asNumber(message.start), asNumber(message.duration)];
    if (!best || start === undefined || duration === undefined) return [{ type: 'malformed' }];
    const endMs = (start + duration) * 1000;
    const isFinal = message.is_final === true;
    // A final text is never changed: a repeated or earlier range is ignored.
    if (endMs <= this.#settledMs) return [];
    const heard = this.#words(best, isFinal, Math.max(this.#settledMs, start * 1000), endMs);
    if (!isFinal) return heard;
    this.#settledMs = endMs;
    return [...heard, { type: 'settled', endMs }];
  }

  #words(best: JsonObject, isFinal: boolean, startMs: number, endMs: number): HeardFrame[] {
    const text = asText(best.transcript).trim();
    if (text === '') return [];
    const words = asRecords(best.words);
    const from = asNumber(words[0]?.start);
    const to = asNumber(words.at(-1)?.end);
    const segment = String(this.#segment);
    if (isFinal) this.#segment++;
    return [
      {
        type: isFinal ? 'final' : 'interim',
        segment,
        text,
        startMs: from === undefined ? startMs : from * 1000,
        endMs: to === undefined ? endMs : to * 1000,
        confidence: asNumber(best.confidence) ?? 1,
      },
    ];
  }
}

/** Deepgram's live transcription. */
export function createDeepgramSttProtocol(options: DeepgramSttOptions): SttVendor {
  return {
    provider: PROVIDER,
    inputRatesHz: [16_000, 8000],
    finalLatencyP99Ms: 350,
    flushesAtLulls: true,
    // A pause is flushed at once, so this only delays interim texts.
    chunkMs: 100,
    minChunkMs: 20,
    burstMs: 3000,
    maxSpeed: 1.25,
    // Deepgram closes an idle connection after ten seconds and recommends a keep-alive every three to five.
    idleMs: 4000,
    greets: false,
    headers: { Authorization: `Token ${options.apiKey}` },
    secrets: [options.apiKey],
    url: (setup) => url(options, setup),
    dialogue: () => new DeepgramDialogue(),
  };
}
