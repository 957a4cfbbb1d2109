import type { Llm, LlmPart, LlmRequest } from '../../ports/llm.ts';
import type { Stt, SttEvent, SttStream } from '../../ports/stt.ts';
import type { ToolRunner } from '../../ports/tool.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import type { OfflineStt } from '../../providers/offline/stt/adapter.ts';
import { LOCAL_FIRST_MS } from '../ask-model.ts';
import { allOf } from './all-of.ts';
import type { Outside } from './stage-messages.ts';
import type { SteadyTime } from './steady-time.ts';

/** From the last sound that a recogniser was given to its text, and from a text to the first sound of the voice. */
const RECOGNISED_MS = 20;
const VOICED_MS = 60;
const MAX_KEPT_TEXTS = 100;

/** The recogniser in virtual time: its text comes a stated time after the sound, however long it took. */
export function steadyStt(stt: OfflineStt, time: SteadyTime): Stt & Disposable {
  const streams: SttStream[] = [];
  return {
    ...stt,
    async open(options) {
      const told: SttEvent[] = [];
      const onEvent = (event: SttEvent) => void told.push(event);
      const stream = await time.outside(stt.open({ ...options, onEvent }));
      streams.push(stream);
      let isFollowed = false;
      let isClosed = false;
      const follow = () => {
        if (isFollowed || (stream.isSettled && told.length === 0)) return;
        isFollowed = true;
        void time.outside(stream.settled()).then(() => {
          isFollowed = false;
          const heard = told.splice(0);
          time.clock.setTimeout(() => {
            for (const event of heard) if (!isClosed) options.onEvent(event);
          }, RECOGNISED_MS);
        });
      };
      const followed = (act: () => void) => {
        act();
        follow();
      };
      return {
        write: (pcm) => followed(() => stream.write(pcm)),
        speechStarted: () => followed(() => stream.speechStarted()),
        speechEnded: () => followed(() => stream.speechEnded()),
        flush: () => followed(() => stream.flush()),
        get droppedMs() {
          return stream.droppedMs;
        },
        close() {
          isClosed = true;
          stream.close();
        },
      };
    },
    [Symbol.dispose]() {
      for (const stream of streams) stream.close();
    },
  };
}

/** What a voice has said already, for all calls of a run. */
export class SpokenTexts {
  readonly #tts: Tts;
  readonly #signal: AbortSignal;
  readonly #kept = new Map<string, Promise<readonly TtsPart[]>>();

  constructor(tts: Tts, signal: AbortSignal) {
    this.#tts = tts;
    this.#signal = signal;
  }

  get provider(): string {
    return this.#tts.provider;
  }

  speak({ text, language, voice, settings, sampleRateHz }: TtsRequest) {
    const key = JSON.stringify([text, language, voice, settings, sampleRateHz]);
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const request = { text, sampleRateHz, signal: this.#signal };
    const spoken = allOf(
      this.#tts.synthesize({
        ...request,
        ...(language === undefined ? {} : { language }),
        ...(voice === undefined ? {} : { voice }),
        ...(settings === undefined ? {} : { settings }),
      }),
    );
    this.#kept.set(key, spoken);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT_TEXTS && oldest !== undefined) this.#kept.delete(oldest);
    return spoken;
  }
}

/** The voice in virtual time: all of its sound comes a stated time after it was asked for. */
export const steadyTts = (texts: SpokenTexts, time: SteadyTime): Tts => ({
  provider: texts.provider,
  async *synthesize(request) {
    const parts = await time.outside(texts.speak(request));
    await time.delay(VOICED_MS);
    // Whoever plays a sound may change it.
    for (const part of parts)
      yield part.type === 'audio' ? { ...part, pcm: part.pcm.slice() } : part;
  },
});

/** A model of this machine in virtual time: its answer comes a stated time after the request. */
export const steadyLlm = (
  ask: (request: LlmRequest) => Promise<readonly LlmPart[]>,
  time: SteadyTime,
): Llm => ({
  provider: 'local',
  async *stream(request) {
    const parts = await time.outside(ask(request));
    await time.delay(LOCAL_FIRST_MS);
    yield* parts;
  },
});

/** Tools in virtual time: they answer as late as the test says. */
export const steadyTools = (
  { check, tool }: Pick<Outside, 'check' | 'tool'>,
  time: SteadyTime,
): ToolRunner => ({
  check: (name, args) => time.outside(check(name, args)),
  async invoke({ signal: _, ...invocation }) {
    const { outcome, afterMs } = await time.outside(tool(invocation));
    await time.delay(afterMs);
    return outcome;
  },
});
