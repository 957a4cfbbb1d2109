import { bytesFromPcm16 } from '../../audio/pcm16.ts';
import { ProviderError } from '../../lib/errors.ts';
import {
  asNumber,
  asRecords,
  asText,
  type JsonObject,
  parseJsonFrame,
} from '../../lib/json-frame.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';
import { presentable } from '../openai-llm/error-protocol.ts';
import { boundedHints, primaryLanguages } from '../recognition-hints.ts';
import type { HeardFrame, SttDialogue, SttSetup, SttVendor } from '../stt-socket/stt-vendor.ts';
import { wordConfidence } from '../stt-socket/word-confidence.ts';
import { DEFAULT_MODELS } from '../vendor-defaults.ts';
import { socketUrl } from '../vendor-url.ts';

export interface AssemblyAiOptions {
  readonly apiKey: string;
  /** @defaultValue `https://streaming.assemblyai.com` */
  readonly baseUrl?: string;
}

const PROVIDER = 'assemblyai';
const KEYTERM_LIMITS = { terms: 100, termChars: 50, totalChars: 5000 } as const;

const CODE_CLASSES: Readonly<Record<number, FailureClass>> = {
  1008: 'auth',
  3005: 'network',
  3006: 'invalid',
  3007: 'invalid',
  // The session reached its maximum age; a new one may start.
  3008: 'network',
  3009: 'rate',
  4000: 'invalid',
  4001: 'auth',
  4002: 'quota',
  4003: 'invalid',
  4029: 'rate',
  4101: 'invalid',
  4102: 'rate',
};

/** Languages that Universal-3.5 Pro recognises and accepts as hints. The other model detects the language itself. */
const PRO_LANGUAGES = new Set(['en', 'es', 'de', 'fr', 'pt', 'it']);

function isPro({ languages }: SttSetup): boolean {
  return primaryLanguages(languages).every((language) => PRO_LANGUAGES.has(language));
}

function url(options: AssemblyAiOptions, setup: SttSetup): string {
  const pro = isPro(setup);
  const languages = primaryLanguages(setup.languages);
  const keyterms = pro ? boundedHints(setup.hints, KEYTERM_LIMITS) : [];
  return socketUrl(options.baseUrl ?? 'https://streaming.assemblyai.com', '/v3/ws', {
    sample_rate: setup.sampleRateHz,
    encoding: 'pcm_s16le',
    speech_model: DEFAULT_MODELS.stt[pro ? PROVIDER : `${PROVIDER} other languages`].name,
    ...(pro && languages.length > 0 ? { language_codes: JSON.stringify(languages) } : {}),
    // The pro model always formats its text and refuses this parameter.
    ...(pro ? {} : { format_turns: true }),
    ...(keyterms.length > 0 ? { keyterms_prompt: JSON.stringify(keyterms) } : {}),
  });
}

class AssemblyAiDialogue implements SttDialogue {
  readonly audio = bytesFromPcm16;
  readonly flush = JSON.stringify({ type: 'ForceEndpoint' });
  readonly keepAlive = JSON.stringify({ type: 'KeepAlive' });
  readonly farewell = JSON.stringify({ type: 'Terminate' });
  readonly #secrets: readonly string[];
  /** True if the end of a turn arrives twice, the second time formatted. */
  readonly #formatsLater: boolean;
  /** True if the model gives the probability that a turn is over; the pro model goes by its punctuation instead. */
  readonly #scoresTurns: boolean;
  #endedTurn = -1;

  constructor(secrets: readonly string[], isProModel: boolean) {
    this.#secrets = secrets;
    this.#formatsLater = !isProModel;
    this.#scoresTurns = !isProModel;
  }

  receive(frame: string | Uint8Array): readonly HeardFrame[] {
    const message = parseJsonFrame(frame);
    if (!message) return [{ type: 'malformed' }];
    switch (message.type) {
      case 'Begin':
        return [{ type: 'ready' }];
      case 'Turn':
        return this.#turn(message);
      case 'Error':
        return [{ type: 'error', error: this.#failure(message) }];
      default:
        return [];
    }
  }

  #turn(message: JsonObject): HeardFrame[] {
    const turn = asNumber(message.turn_order);
    if (turn === undefined) return [{ type: 'malformed' }];
    if (turn <= this.#endedTurn) return [];
    const isFormatted = message.turn_is_formatted === true || !this.#formatsLater;
    const isFinal = message.end_of_turn === true && isFormatted;
    if (isFinal) this.#endedTurn = turn;
    const words = asRecords(message.words);
    const text = isFinal
      ? asText(message.transcript).trim()
      : // A word still being spoken appears only in the word list.
        words.map((word) => asText(word.text)).join(' ');
    const startMs = asNumber(words[0]?.start);
    const endMs = asNumber(words.at(-1)?.end);
    if (text === '' || startMs === undefined || endMs === undefined) return [];
    const type = isFinal ? 'final' : 'interim';
    const confidence = wordConfidence(words);
    const heard = { type, segment: String(turn), text, startMs, endMs, confidence } as const;
    const probability = asNumber(message.end_of_turn_confidence);
    if (!isFinal || !this.#scoresTurns || probability === undefined) return [heard];
    return [heard, { type: 'eot', probability, eager: false }];
  }

  #failure(message: JsonObject): ProviderError {
    const code = asNumber(message.error_code) ?? 0;
    const said = presentable(asText(message.error), this.#secrets);
    return new ProviderError({
      class: CODE_CLASSES[code] ?? 'network',
      provider: PROVIDER,
      code: `error_${code}`,
      message: `${PROVIDER} ended the session (${code})${said ? `: ${said}` : ''}`,
    });
  }
}

/** AssemblyAI's streaming recognition. */
export function createAssemblyAiProtocol(options: AssemblyAiOptions): SttVendor {
  const secrets = [options.apiKey];
  return {
    provider: PROVIDER,
    inputRatesHz: [16_000, 8000],
    finalLatencyP99Ms: 420,
    flushesAtLulls: true,
    // It closes the connection on messages outside 50 to 1000 ms and on audio faster than real time.
    chunkMs: 60,
    minChunkMs: 60,
    burstMs: 1000,
    maxSpeed: 1,
    idleMs: 5000,
    greets: true,
    headers: { Authorization: options.apiKey },
    secrets,
    closeClasses: CODE_CLASSES,
    url: (setup) => url(options, setup),
    dialogue: (setup) => new AssemblyAiDialogue(secrets, isPro(setup)),
  };
}
