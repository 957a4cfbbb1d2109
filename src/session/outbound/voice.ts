import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Tts, TtsPart } from '../../ports/tts.ts';
import { Deadline } from '../deadline.ts';
import { failoverEvent, toFailure } from '../failure.ts';
import { untilAborted } from '../until-aborted.ts';
import { UtteranceBuffer } from './utterance-buffer.ts';

export interface VoiceOptions {
  readonly language?: string;
  readonly voice?: string;
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

interface Deps {
  readonly clock: Clock;
  readonly tts: Tts;
  readonly options: VoiceOptions;
  readonly sampleRateHz: number;
  readonly emit: (event: CallEvent) => void;
  /** New audio arrived for an utterance. */
  readonly onAudio: (uttId: number) => void;
  readonly onUnexpected: (error: unknown) => void;
}

const FIRST_AUDIO_MS = 5000;
const STALL_MS = 5000;

/** Synthesises utterances into buffers at the leg's rate; each can be cancelled by its id. */
export class Voice {
  readonly #deps: Deps;
  readonly #running = new Map<number, AbortController>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(uttId: number, text: string): UtteranceBuffer {
    const buffer = new UtteranceBuffer(uttId, this.#deps.sampleRateHz);
    const controller = new AbortController();
    this.#running.set(uttId, controller);
    void this.#speak(buffer, text, controller);
    return buffer;
  }

  /** `stalled`: the voice is at fault, and its vendor is to know. */
  cancel(uttId: number, stalled = false): void {
    const { provider } = this.#deps.tts;
    const message = `${provider}: the voice stopped sending audio`;
    this.#running
      .get(uttId)
      ?.abort(
        stalled
          ? new ProviderError({ class: 'timeout', provider, code: 'stalled', message })
          : undefined,
      );
    this.#running.delete(uttId);
  }

  close(): void {
    for (const uttId of [...this.#running.keys()]) this.cancel(uttId);
  }

  async #speak(buffer: UtteranceBuffer, text: string, controller: AbortController): Promise<void> {
    const { tts, emit } = this.#deps;
    const { uttId } = buffer;
    const filler = new BufferFiller(buffer, this.#deps);
    try {
      await this.#synthesizeTwice(filler, text, controller.signal);
      controller.signal.throwIfAborted();
      filler.finish();
      emit({ type: 'tts.done', uttId, totalMs: Math.round(buffer.durationMs) });
    } catch (error) {
      // `cancel` has removed it: nothing waits for it any more.
      if (this.#running.get(uttId) !== controller) return;
      buffer.ended = true;
      this.#deps.onUnexpected(error);
      emit({ type: 'tts.failed', uttId, error: toFailure(error, tts.provider) });
    } finally {
      filler.close();
      if (this.#running.get(uttId) === controller) this.#running.delete(uttId);
    }
  }

  /** E6: a voice that gave nothing in time is asked once more, because a text that is never spoken leaves the caller in silence. */
  async #synthesizeTwice(filler: BufferFiller, text: string, signal: AbortSignal): Promise<void> {
    const { clock, tts, emit, onUnexpected } = this.#deps;
    const startedAt = clock.now();
    try {
      await this.#synthesize(filler, text, signal);
    } catch (error) {
      const isLate = error instanceof ProviderError && error.class === 'timeout';
      if (signal.aborted || filler.hasTaken || !isLate) throw error;
      onUnexpected(error);
      const { provider: vendor } = tts;
      const delayMs = Math.round(clock.now() - startedAt);
      emit(failoverEvent('tts', { vendor, successor: vendor, error, delayMs }));
      await this.#synthesize(filler, text, signal);
    }
  }

  async #synthesize(filler: BufferFiller, text: string, signal: AbortSignal): Promise<void> {
    const { clock, tts, options, sampleRateHz, emit } = this.#deps;
    const attempt = new AbortController();
    const cancel = () => attempt.abort(signal.reason);
    signal.addEventListener('abort', cancel, { once: true });
    const deadline = new Deadline(clock, attempt, tts.provider, 'the voice stopped sending audio');
    try {
      deadline.touch(FIRST_AUDIO_MS);
      const stream = tts.synthesize({
        text,
        ...options,
        sampleRateHz,
        signal: attempt.signal,
        onFailover: (failover) => emit(failoverEvent('tts', failover)),
      });
      for await (const part of untilAborted(stream, attempt.signal)) {
        if (attempt.signal.aborted) break;
        deadline.touch(STALL_MS);
        filler.take(part);
      }
      attempt.signal.throwIfAborted();
    } finally {
      deadline.stop();
      signal.removeEventListener('abort', cancel);
    }
  }
}

/** Resamples the audio of one synthesis to the leg's rate and appends it to the buffer. */
class BufferFiller {
  readonly #buffer: UtteranceBuffer;
  readonly #deps: Deps;
  #resampler: Resampler | undefined;
  /** True once the voice has given anything. */
  hasTaken = false;

  constructor(buffer: UtteranceBuffer, deps: Deps) {
    this.#buffer = buffer;
    this.#deps = deps;
  }

  take(part: TtsPart): void {
    const { uttId } = this.#buffer;
    this.hasTaken = true;
    if (part.type === 'words') {
      this.#buffer.words.push(...part.words);
      this.#deps.emit({ type: 'tts.words', uttId, words: part.words });
      return;
    }
    const pcm =
      part.sampleRateHz === this.#buffer.sampleRateHz
        ? part.pcm
        : this.#resamplerFrom(part.sampleRateHz).process(part.pcm);
    this.#append(pcm);
  }

  finish(): void {
    if (this.#resampler) this.#append(this.#resampler.flush());
    this.#buffer.ended = true;
    this.#deps.onAudio(this.#buffer.uttId);
  }

  close(): void {
    this.#resampler?.close();
    this.#resampler = undefined;
  }

  #append(pcm: Int16Array): void {
    const first = this.#buffer.samples === 0 && pcm.length > 0;
    if (!this.#buffer.push(pcm)) throw new RangeError('the utterance is too long to speak');
    if (first) this.#deps.emit({ type: 'tts.audio', uttId: this.#buffer.uttId });
    this.#deps.onAudio(this.#buffer.uttId);
  }

  #resamplerFrom(fromHz: number): Resampler {
    if (this.#resampler?.fromHz !== fromHz) this.close();
    this.#resampler ??= createResampler(fromHz, this.#buffer.sampleRateHz);
    return this.#resampler;
  }
}
