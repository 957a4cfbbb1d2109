import { bytesFromPcm16 } from '../../audio/pcm16.ts';
import { ProviderError } from '../../lib/errors.ts';
import {
  asNumber,
  asRecords,
  asText,
  type JsonObject,
  parseJsonFrame,
} from '../../lib/json-frame.ts';
import { KEYTERM_LIMITS } from '../deepgram-stt/protocol.ts';
import { presentable } from '../openai-llm/error-protocol.ts';
import { boundedHints, primaryLanguages } from '../recognition-hints.ts';
import type { HeardFrame, SttDialogue, SttSetup, SttVendor } from '../stt-socket/stt-vendor.ts';
import { wordConfidence } from '../stt-socket/word-confidence.ts';
import { DEFAULT_MODELS } from '../vendor-defaults.ts';
import { socketUrl } from '../vendor-url.ts';

export interface DeepgramFluxOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.deepgram.com` */
  readonly baseUrl?: string;
}

const PROVIDER = 'deepgram-flux';
/** Languages of the models; Deepgram refuses the connection for any other hint. */
export const FLUX_LANGUAGES = ['en', 'es', 'fr', 'de', 'hi', 'ru', 'pt', 'ja', 'it', 'nl'] as const;
const END_OF_TURN = 0.7;
const EAGER_END_OF_TURN = 0.5;

function url(options: DeepgramFluxOptions, setup: SttSetup): string {
  const languages = primaryLanguages(setup.languages);
  const english = languages.every((language) => language === 'en');
  const address = new URL(
    socketUrl(options.baseUrl ?? 'https://api.deepgram.com', '/v2/listen', {
      model: DEFAULT_MODELS.stt[english ? PROVIDER : `${PROVIDER} multilingual`].name,
      encoding: 'linear16',
      sample_rate: setup.sampleRateHz,
      eot_threshold: END_OF_TURN,
      eager_eot_threshold: EAGER_END_OF_TURN,
    }),
  );
  if (!english)
    for (const language of languages) address.searchParams.append('language_hint', language);
  for (const hint of boundedHints(setup.hints, KEYTERM_LIMITS))
    address.searchParams.append('keyterm', hint);
  return address.href;
}

class FluxDialogue implements SttDialogue {
  readonly audio = bytesFromPcm16;
  readonly farewell = JSON.stringify({ type: 'CloseStream' });
  readonly #secrets: readonly string[];
  #endedTurn = -1;
  #sequence = -1;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  receive(frame: string | Uint8Array): readonly HeardFrame[] {
    const message = parseJsonFrame(frame);
    if (!message) return [{ type: 'malformed' }];
    switch (message.type) {
      case 'Connected':
        return [{ type: 'ready' }];
      case 'TurnInfo':
        return this.#turn(message);
      case 'Error':
        return [{ type: 'error', error: this.#failure(message) }];
      default:
        return [];
    }
  }

  #turn(message: JsonObject): HeardFrame[] {
    const turn = asNumber(message.turn_index);
    const from = asNumber(message.audio_window_start);
    const to = asNumber(message.audio_window_end);
    if (turn === undefined || from === undefined || to === undefined)
      return [{ type: 'malformed' }];
    // Each text replaces the one before, so an older one would take back words.
    const sequence = asNumber(message.sequence_id) ?? this.#sequence + 1;
    if (sequence <= this.#sequence || turn <= this.#endedTurn) return [];
    this.#sequence = sequence;
    const ended = message.event === 'EndOfTurn';
    const heard = words(message, String(turn), ended, from * 1000, to * 1000);
    const probability = asNumber(message.end_of_turn_confidence) ?? 1;
    switch (message.event) {
      case 'EndOfTurn':
        this.#endedTurn = turn;
        return [
          ...heard,
          { type: 'settled', endMs: to * 1000 },
          { type: 'eot', probability, eager: false },
        ];
      case 'EagerEndOfTurn':
        return [...heard, { type: 'eot', probability, eager: true }];
      case 'TurnResumed':
        return [{ type: 'resumed' }, ...heard];
      default:
        return heard;
    }
  }

  #failure(message: JsonObject): ProviderError {
    const code = asText(message.code) || 'error';
    const said = presentable(asText(message.description), this.#secrets);
    return new ProviderError({
      class: /^INTERNAL|TIMEOUT|UNAVAILABLE/.test(code) ? 'network' : 'invalid',
      provider: PROVIDER,
      code: code.toLowerCase().slice(0, 64),
      message: `${PROVIDER} ended the line${said ? `: ${said}` : ''}`,
    });
  }
}

function words(
  message: JsonObject,
  segment: string,
  isFinal: boolean,
  windowStartMs: number,
  windowEndMs: number,
): HeardFrame[] {
  const text = asText(message.transcript).trim();
  if (text === '') return [];
  const list = asRecords(message.words);
  const from = asNumber(list[0]?.start);
  const to = asNumber(list.at(-1)?.end);
  return [
    {
      type: isFinal ? 'final' : 'interim',
      segment,
      text,
      startMs: from === undefined ? windowStartMs : from * 1000,
      endMs: to === undefined ? windowEndMs : to * 1000,
      confidence: wordConfidence(list),
    },
  ];
}

/** Deepgram's turn-aware recogniser, which detects the end of the caller's turn itself. */
export function createDeepgramFluxProtocol(options: DeepgramFluxOptions): SttVendor {
  const secrets = [options.apiKey];
  return {
    provider: PROVIDER,
    inputRatesHz: [16_000, 8000],
    // From the end of speech to the end of turn detected by the model.
    finalLatencyP99Ms: 500,
    turnAware: true,
    chunkMs: 80,
    minChunkMs: 80,
    burstMs: 3000,
    maxSpeed: 1.25,
    // Its turns advance only with audio, so silence must be sent when no audio arrives.
    idleMs: 500,
    greets: true,
    headers: { Authorization: `Token ${options.apiKey}` },
    secrets,
    url: (setup) => url(options, setup),
    dialogue: () => new FluxDialogue(secrets),
  };
}
