import type { CallCommand, StampedCommand } from '../../src/engine/machine/commands.ts';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { evenVoice } from '../../src/simulation/even-voice.ts';
import type { ModelPart, SpokenText, ToolAnswer } from '../../src/simulation/parts.ts';
import type { SimulatedPlayout } from '../../src/simulation/playout.ts';
import {
  type DatedEvent,
  type Saying,
  utteranceEvents,
  voiceEvents,
} from '../../src/simulation/utterance.ts';
import { SimulatedWorld } from '../../src/simulation/world.ts';
import { callSettings } from './call-settings.ts';

/** One answer of the scripted model: pieces of text, then perhaps tool calls, or a failure. */
export interface ModelReply {
  readonly pieces?: readonly string[];
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args?: string;
    readonly problem?: string;
  }[];
  readonly error?: boolean;
  /** Never answers. */
  readonly silent?: boolean;
}

export interface World {
  readonly settings?: Partial<CallSettings>;
  readonly model?: (turnText: string, index: number) => string | ModelReply;
  readonly modelMs?: number;
  readonly voiceMs?: number;
  readonly msPerWord?: number;
  readonly wordTimes?: boolean;
  readonly voiceFails?: (text: string) => boolean;
  /** The voice gives half a second of sound and then nothing more. */
  readonly voiceStalls?: (text: string) => boolean;
  /** A predictor outside; nothing: it does not answer. */
  readonly predictor?: (text: string, index: number) => number | undefined;
  readonly predictorMs?: number;
  readonly tool?: (name: string) => {
    readonly afterMs: number;
    /** Absent: it fails. */
    readonly result?: string;
    readonly message?: string;
  };
}

export type CommandOf<Type extends CallCommand['type']> = Extract<CallCommand, { type: Type }> & {
  readonly at: number;
};

/** A call's mind in a scripted world on virtual time: who says what when, and how fast the vendors are. */
export class CallHarness {
  readonly settings: CallSettings;
  readonly #simulated: SimulatedWorld;
  readonly #world: World;
  #generations = 0;
  #segments = 0;

  constructor(world: World = {}) {
    this.#world = world;
    this.settings = callSettings(world.settings);
    this.#simulated = new SimulatedWorld(
      { callId: 'WC-test', settings: this.settings },
      {
        model: ({ messages }) =>
          this.#generate(messages.findLast((m) => m.role === 'user')?.content),
        tool: ({ name }) => this.#runTool(name),
        voice: (text) => this.#voice(text),
        others: (command) => (command.type === 'predict' ? this.#predict(command) : []),
      },
    );
  }

  get call() {
    return this.#simulated.call;
  }

  get farEnd(): SimulatedPlayout {
    return this.#simulated.playout;
  }

  get commands(): readonly StampedCommand[] {
    return this.#simulated.commands;
  }

  /** The call as its shell would have recorded it. */
  get journal(): JournalLine[] {
    return this.#simulated.journal;
  }

  /** From now on the far end neither plays nor marks anything. */
  freezePlayback(): void {
    this.farEnd.freeze();
  }

  /** The call's process dies and another takes the call over: model, voices, tools and playout are gone. */
  takeOver(gapMs: number): this {
    const lostAt = this.now;
    this.farEnd.clear(lostAt);
    this.#simulated.forget();
    return this.at(lostAt, { type: 'process.lost' })
      .at(lostAt + gapMs, { type: 'media.resumed' })
      .at(lostAt + gapMs, { type: 'call.resumed', gapMs });
  }

  get now(): number {
    return this.#simulated.now;
  }

  /** An event at an instant of the call. */
  at(at: number, event: CallEvent): this {
    this.#simulated.schedule(at, event);
    return this;
  }

  answer(at = 0): this {
    return this.at(at, { type: 'leg.answered' });
  }

  /** The caller speaks, as voice activity and recogniser see it. Returns when the speech ends. */
  says(at: number, text: string, options: Saying = {}): number {
    const { endAt, events } = utteranceEvents(`s${++this.#segments}`, text, at, options);
    this.#all(events);
    return endAt;
  }

  /** Sound without words. */
  voice(at: number, ms: number): this {
    return this.#all(voiceEvents(at, ms));
  }

  #all(events: readonly DatedEvent[]): this {
    for (const { at, event } of events) this.at(at, event);
    return this;
  }

  /** Lets the call live until then. */
  runTo(until: number): this {
    this.#simulated.runTo(until);
    return this;
  }

  of<Type extends CallCommand['type']>(type: Type): CommandOf<Type>[] {
    return this.commands.filter((command) => command.type === type) as CommandOf<Type>[];
  }

  /** The transcript as reads show it. */
  get messages(): { role: string; text: string }[] {
    const byId = new Map<string, { role: string; text: string; at: number }>();
    for (const command of this.commands) {
      if (command.type === 'transcript.append') {
        const { messageId, role, text, at } = command.message;
        byId.set(messageId, { role, text, at });
      } else if (command.type === 'transcript.patch') {
        const message = byId.get(command.messageId);
        if (message) message.text = command.text;
      }
    }
    return [...byId.values()].sort((a, b) => a.at - b.at).map(({ role, text }) => ({ role, text }));
  }

  get transcript(): string[] {
    return this.messages.map(({ role, text }) => `${role}: ${text}`);
  }

  /** What the model was last told. */
  get context() {
    return this.of('llm.start').at(-1)?.messages ?? [];
  }

  get spoken(): string[] {
    return this.farEnd.heard.map(({ uttId }) => this.#simulated.spoken.get(uttId)?.text ?? '');
  }

  #generate(text = ''): readonly ModelPart[] {
    const answer = this.#world.model?.(text, this.#generations++) ?? 'All right.';
    const reply: ModelReply = typeof answer === 'string' ? { pieces: [answer] } : answer;
    if (reply.silent) return [];
    const firstMs = this.#world.modelMs ?? 200;
    if (reply.error) {
      const error = { code: 'http_500', message: 'broken', retryable: true };
      return [{ afterMs: firstMs, type: 'error', error }];
    }
    const { pieces = [], calls = [] } = reply;
    const afterMs = firstMs + 50 * pieces.length;
    return [
      ...pieces.map(
        (piece, i) => ({ afterMs: firstMs + 50 * i, type: 'text', text: piece }) as const,
      ),
      ...calls.map(
        ({ args = '{}', ...call }) =>
          ({ afterMs, type: 'tool-call', arguments: args, ...call }) as const,
      ),
      { afterMs, type: 'done', reason: 'stop' },
    ];
  }

  #predict({ rev, text }: { readonly rev: number; readonly text: string }) {
    const p = this.#world.predictor?.(text, rev - 1);
    if (p === undefined) return [];
    const event = { type: 'predict.result', rev, p } as const;
    return [{ afterMs: this.#world.predictorMs ?? 60, event }];
  }

  #voice(text: string): SpokenText {
    const { voiceMs: firstMs = 100, msPerWord = 300, wordTimes = true } = this.#world;
    const { words, ...even } = evenVoice(text, { firstMs, msPerWord });
    return {
      ...even,
      ...(wordTimes && words ? { words } : {}),
      ...(this.#world.voiceStalls?.(text) ? { stallsAfterMs: 500 } : {}),
      ...(this.#world.voiceFails?.(text)
        ? { error: { code: 'http_500', message: 'no voice', retryable: true } }
        : {}),
    };
  }

  #runTool(name: string): ToolAnswer {
    const { result, ...answer } = this.#world.tool?.(name) ?? { afterMs: 300, result: 'done' };
    return result === undefined ? { ...answer, error: 'it failed' } : { ...answer, result };
  }
}
