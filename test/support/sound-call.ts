import { randomUUID } from 'node:crypto';
import { rmsDb } from '../../src/audio/level.ts';
import { WebCaller } from '../../src/cli/web-caller.ts';
import type { Call, ConnectedCall } from '../../src/contract/call.ts';
import type { Room } from '../../src/testing/spoken/rooms.ts';
import { type ChatEmulator, startChatEmulator } from './chat-completions-emulator.ts';
import type { ScriptedEars } from './scripted-ears.ts';
import type { SoundStage } from './sound-stage.ts';
import type { ToneWord } from './tone-words.ts';
import type { Utterance } from './utterance.ts';

export const RATE_HZ = 16_000;
const AUDIBLE_DB = -50;
const FRAME_MS = 20;
const WAIT_MS = 40_000;

interface SoundCallOptions {
  readonly name: string;
  /** What the model says, one answer after the other. */
  readonly replies: readonly string[];
  readonly assistant?: Readonly<Record<string, unknown>>;
  readonly room?: Room;
}

/** Where an utterance lies on the caller's sample clock. */
export interface Said {
  readonly speechFromMs: number;
  readonly speechToMs: number;
}

/** A frame of the microphone that came so late. */
interface Late {
  readonly atMs: number;
  readonly byMs: number;
}

interface Watch {
  readonly check: () => number | undefined;
  readonly done: PromiseWithResolvers<number>;
  readonly deadlineMs: number;
  readonly what: string;
}

/** A call in real time through a real socket; everything is measured on the audio that was heard. */
export class SoundCall {
  readonly #stage: SoundStage;
  readonly #id: string;
  readonly #caller: WebCaller;
  readonly #ears: ScriptedEars;
  readonly #model: ChatEmulator;
  readonly #watches: Watch[];
  readonly #late: readonly Late[];

  private constructor(
    stage: SoundStage,
    parts: {
      id: string;
      caller: WebCaller;
      ears: ScriptedEars;
      model: ChatEmulator;
      watches: Watch[];
      late: readonly Late[];
    },
  ) {
    this.#stage = stage;
    this.#id = parts.id;
    this.#caller = parts.caller;
    this.#ears = parts.ears;
    this.#model = parts.model;
    this.#watches = parts.watches;
    this.#late = parts.late;
  }

  static async dial(stage: SoundStage, options: SoundCallOptions): Promise<SoundCall> {
    const { name, replies, assistant, room } = options;
    const model = await startChatEmulator();
    model.script(...replies.map((text) => ({ deltas: text.split(/(?<= )/), times: 1 })));
    // No word of it may be one that a caller says: hints count as content.
    const hint = `ears-${randomUUID()}`;
    const ears = stage.ears(hint);
    const { id, webCall } = await stage.service.json<ConnectedCall>(
      '/calls/v1/conversations/connect',
      {
        method: 'POST',
        body: {
          direction: 'inbound',
          assistant: {
            name,
            assistantProvider: 'custom-llm',
            assistantLLMUrl: model.baseUrl,
            welcomeMessageMode: 'assistant-waits-for-user',
            hints: [hint],
            config: {
              speech: { stt: { vendor: 'deepgram' }, ttsData: [{ vendor: 'offline' }] },
            },
            ...assistant,
          },
        },
      },
    );
    const watches: Watch[] = [];
    const late: Late[] = [];
    let answered: WebCaller | undefined;
    // Each frame of the microphone is a tick of the caller's clock: what is waited for is looked at then.
    const caller = await WebCaller.connect({
      url: webCall?.url ?? '',
      sampleRateHz: RATE_HZ,
      room(frame, fromSample, speaker) {
        room?.(frame, fromSample, speaker);
        const atMs = (fromSample * 1000) / RATE_HZ;
        const byMs = answered ? answered.elapsedMs - atMs - FRAME_MS : 0;
        if (byMs > 1) late.push({ atMs, byMs });
        look(watches, atMs);
      },
    });
    answered = caller;
    // No frame comes after the end, so nobody looks any more.
    void caller.ended.then(({ reason = 'the socket closed' }) => {
      for (const { done, what } of watches.splice(0))
        done.reject(new Error(`no ${what} before the call ended: ${reason}`));
    });
    return new SoundCall(stage, { id, caller, ears: await ears, model, watches, late });
  }

  /** How late this process was at most between two instants of the sample clock, ms. */
  latestBetween(fromMs: number, toMs: number): number {
    const within = this.#late.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return within.reduce((most, { byMs }) => Math.max(most, byMs), 0);
  }

  /** Now on the sample clock. */
  get elapsedMs(): number {
    return this.#caller.elapsedMs;
  }

  /** What was heard so far. */
  get heard(): Int16Array {
    return this.#caller.tracks.speaker.read();
  }

  /** What was heard between two instants, a view until more is heard. */
  heardBetween(fromMs: number, toMs: number): Int16Array {
    return this.heard.subarray((fromMs * RATE_HZ) / 1000, (toMs * RATE_HZ) / 1000);
  }

  /** Says this, its speech beginning at `atMs` of the sample clock if that is still to come. */
  say(utterance: Utterance, atMs = 0): Said {
    const padMs = Math.max(
      0,
      Math.floor((atMs - utterance.speechFromMs - this.#caller.elapsedMs) / FRAME_MS) * FRAME_MS,
    );
    const padSamples = (padMs * RATE_HZ) / 1000;
    const pcm = new Int16Array(padSamples + utterance.pcm.length);
    pcm.set(utterance.pcm, padSamples);
    const fromMs = this.#caller.say(pcm).fromMs + padMs;
    this.overhears(utterance.words, fromMs);
    return {
      speechFromMs: fromMs + utterance.speechFromMs,
      speechToMs: fromMs + utterance.speechToMs,
    };
  }

  /** The microphone picks up these words, whose sound the room has. */
  overhears(words: readonly ToneWord[], fromMs = 0): void {
    this.#ears.expect(
      words.map(({ text, startMs, endMs }) => ({
        text,
        startMs: startMs + fromMs,
        endMs: endMs + fromMs,
      })),
    );
  }

  /** Resolves when the service has ended the call. */
  get hungUp(): Promise<unknown> {
    return this.#caller.ended;
  }

  /** The instant of the first sound heard after `afterMs`. */
  replyAfter(afterMs: number): Promise<number> {
    return this.#until('a reply', () => firstAudible(this.heard, afterMs));
  }

  /** When nothing was heard for `ms`, and at least until `afterMs`. */
  quietFor(ms: number, afterMs: number): Promise<number> {
    return this.#until('silence', () => {
      const now = this.#caller.elapsedMs;
      if (now < afterMs + ms) return undefined;
      return firstAudible(this.heard, now - ms) === undefined ? now - ms : undefined;
    });
  }

  /** Hangs up and reads the record. */
  async finish(): Promise<Call> {
    this.#caller.hangup();
    await this.#caller.ended;
    return this.#stage.service.json<Call>(`/calls/v1/conversations/${this.#id}`);
  }

  async close(): Promise<void> {
    this.#caller.close();
    await this.#model[Symbol.asyncDispose]();
  }

  #until(what: string, check: () => number | undefined): Promise<number> {
    const done = Promise.withResolvers<number>();
    const deadlineMs = this.#caller.elapsedMs + WAIT_MS;
    this.#watches.push({ check, done, deadlineMs, what });
    return done.promise;
  }
}

function look(watches: Watch[], nowMs: number): void {
  for (const watch of [...watches]) {
    const found = watch.check();
    if (found === undefined && nowMs < watch.deadlineMs) continue;
    watches.splice(watches.indexOf(watch), 1);
    if (found === undefined) watch.done.reject(new Error(`no ${watch.what} within ${WAIT_MS} ms`));
    else watch.done.resolve(found);
  }
}

/** The first audible instant from `fromMs` on, within 5 ms. */
export function firstAudible(pcm: Int16Array, fromMs: number): number | undefined {
  const window = (RATE_HZ * 5) / 1000;
  for (let at = Math.round((fromMs * RATE_HZ) / 1000); at < pcm.length; at += window) {
    if (rmsDb(pcm.subarray(at, at + window)) > AUDIBLE_DB) return (at * 1000) / RATE_HZ;
  }
  return undefined;
}

/** What is heard from `fromMs` on, silences of less than `gapMs` within it. */
export function soundingSpans(pcm: Int16Array, fromMs: number, gapMs: number) {
  const spans: { fromMs: number; toMs: number }[] = [];
  for (let at = firstAudible(pcm, fromMs); at !== undefined; at = firstAudible(pcm, at + 5)) {
    const last = spans.at(-1);
    if (last && at - last.toMs < gapMs) last.toMs = at + 5;
    else spans.push({ fromMs: at, toMs: at + 5 });
  }
  return spans;
}
