import { throwIfAborted } from '../../../lib/abort.ts';
import { ProviderError } from '../../../lib/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Tts, TtsPart, TtsRequest, WordTiming } from '../../../ports/tts.ts';
import { type Clause, clauseText, toClauses } from './clauses.ts';
import { toSpokenWords } from './spoken-text.ts';
import type { VoiceJob, VoiceResult } from './voice-job.ts';
import { VoicePool, type VoicePoolOptions } from './voice-pool.ts';
import { DEFAULT_VOICE, FLITE_VOICES } from './voices.ts';

const MAX_TEXT_CHARS = 10_000;
const KEEP_BEFORE_MS = 8;
const KEEP_AFTER_MS = 60;
/** A clause counts as needed within this time, however much sound comes before it: a call gives up a voice that is silent for 5 s. */
const MAX_AHEAD_MS = 2000;
const MIN_SPEED = 0.5;
const MAX_SPEED = 2;

/** The built-in voice. Its threads start with the first request, and end when idle. */
export interface OfflineTts extends Tts {
  /** Starts a thread ahead of the first request, unless one runs; resolves when a thread is ready. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A voice that needs no key and no network: flite in worker threads. Always English, whatever the text's language. */
export function createOfflineTts(options: VoicePoolOptions): OfflineTts {
  const pool = new VoicePool(options);
  let starting: Promise<unknown> | undefined;
  return {
    provider: 'offline',
    synthesize: (request) => synthesize(pool, options.clock, request),
    async start() {
      if (!pool.isRunning) {
        // The first job takes several times as long as the next.
        const job = jobOf({ words: toSpokenWords('Hello'), gapMs: 0 }, {});
        starting = pool.run(job, new AbortController().signal);
      }
      await starting;
    },
    close: () => pool.close(),
  };
}

function invalid(code: string, message: string): ProviderError {
  return new ProviderError({ class: 'invalid', provider: 'offline', code, message });
}

function check({ text, voice }: TtsRequest): void {
  if (text.length > MAX_TEXT_CHARS) {
    throw invalid(
      'text_too_long',
      `The text has ${text.length} characters; the offline voice takes ${MAX_TEXT_CHARS}`,
    );
  }
  if (voice && !FLITE_VOICES.some((known) => known.id === voice)) {
    const known = FLITE_VOICES.map((it) => it.id).join(', ');
    throw invalid('unknown_voice', `The offline voice has no "${voice}"; it has ${known}`);
  }
}

function jobOf(clause: Clause, request: Pick<TtsRequest, 'voice' | 'settings'>): VoiceJob {
  const speed = Number(request.settings?.speed ?? 1);
  const usable = Number.isFinite(speed) ? Math.min(MAX_SPEED, Math.max(MIN_SPEED, speed)) : 1;
  return {
    text: clauseText(clause),
    words: clause.words.map((word) => word.spoken),
    voice: request.voice || DEFAULT_VOICE,
    stretch: 1 / usable,
    keepBeforeMs: KEEP_BEFORE_MS,
    keepAfterMs: KEEP_AFTER_MS,
  };
}

function isSilent(clause: Clause): boolean {
  return clause.words.every((word) => word.spoken === '');
}

function timed(clause: Clause, result: VoiceResult | undefined, offsetMs: number): WordTiming[] {
  return clause.words.map((word, i) => ({
    word: word.written,
    startMs: offsetMs + (result?.spans[i]?.startMs ?? 0),
    endMs: offsetMs + (result?.spans[i]?.endMs ?? 0),
  }));
}

function msOf({ pcm, sampleRateHz }: VoiceResult): number {
  return (pcm.length * 1000) / sampleRateHz;
}

/** Synthesises clause by clause, one ahead of the requested one. */
async function* synthesize(
  pool: VoicePool,
  clock: Clock,
  request: TtsRequest,
): AsyncGenerator<TtsPart, void, undefined> {
  const { signal } = request;
  throwIfAborted(signal);
  check(request);
  const clauses = toClauses(toSpokenWords(request.text));
  const abandon = new AbortController();
  const end = (): void => abandon.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  const begin = (
    clause: Clause | undefined,
    soundsUntilMs = 0,
  ): Promise<VoiceResult | undefined> => {
    if (!clause || isSilent(clause)) return Promise.resolve(undefined);
    const now = clock.now();
    const neededAtMs = Math.min(Math.max(now, soundsUntilMs), now + MAX_AHEAD_MS);
    const running = pool.run(jobOf(clause, request), abandon.signal, neededAtMs);
    // It is awaited later, so an early rejection must not count as unhandled.
    running.catch(() => {});
    return running;
  };
  try {
    let offsetMs = 0;
    let gapMs = 0;
    let firstAtMs: number | undefined;
    let ahead = begin(clauses[0]);
    for (const [i, clause] of clauses.entries()) {
      const result = await ahead;
      throwIfAborted(signal);
      firstAtMs ??= clock.now();
      const lengthMs = result ? gapMs + msOf(result) : 0;
      ahead = begin(clauses[i + 1], firstAtMs + offsetMs + lengthMs);
      if (result) {
        const { pcm, sampleRateHz } = result;
        const silence = new Int16Array(Math.round((gapMs * sampleRateHz) / 1000));
        if (silence.length > 0) yield { type: 'audio', pcm: silence, sampleRateHz };
        offsetMs += (silence.length * 1000) / sampleRateHz;
        throwIfAborted(signal);
        yield { type: 'audio', pcm, sampleRateHz };
        throwIfAborted(signal);
      }
      yield { type: 'words', words: timed(clause, result, offsetMs) };
      throwIfAborted(signal);
      if (result) {
        offsetMs += msOf(result);
        gapMs = Math.max(0, clause.gapMs - KEEP_AFTER_MS);
      }
    }
  } finally {
    signal.removeEventListener('abort', end);
    abandon.abort();
  }
}
