import { Call, ENGINE_VERSION } from '../../src/engine/machine/call.ts';
import type { CallCommand, StampedCommand } from '../../src/engine/machine/commands.ts';
import type { CallEvent, StampedEvent } from '../../src/engine/machine/events.ts';
import { JournalForm } from '../../src/engine/machine/journal-form.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { callSettings } from './call-settings.ts';
import { FarEnd } from './far-end.ts';

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

export interface Saying {
  /** How long it sounds. @defaultValue 300 ms a word */
  readonly ms?: number;
  /** From the end of speech to the final text. @defaultValue 150 */
  readonly finalMs?: number;
  /** Interims every 250 ms. @defaultValue true */
  readonly interims?: boolean;
  readonly vad?: boolean;
}

interface Due {
  readonly at: number;
  readonly order: number;
  readonly event: CallEvent;
  readonly valid: () => boolean;
}

export type CommandOf<Type extends CallCommand['type']> = Extract<CallCommand, { type: Type }> & {
  readonly at: number;
};

/** A call's mind in a scripted world on virtual time: who says what when, and how fast the vendors are. */
export class CallHarness {
  readonly call: Call;
  readonly settings: CallSettings;
  readonly commands: StampedCommand[] = [];
  readonly farEnd: FarEnd;
  /** The call as its shell would have recorded it. */
  readonly journal: JournalLine[] = [];
  readonly #world: World;
  readonly #form = new JournalForm();
  readonly #due: Due[] = [];
  readonly #texts = new Map<number, string>();
  readonly #cancelled = new Set<string>();
  #order = 0;
  #seq = 0;
  #now = 0;
  #generations = 0;
  #segments = 0;

  constructor(world: World = {}) {
    this.#world = world;
    this.settings = callSettings(world.settings);
    this.call = new Call({ callId: 'WC-test', settings: this.settings });
    this.#record('note', 0, 'call.created', {
      callId: 'WC-test',
      engineVersion: ENGINE_VERSION,
      settings: this.settings,
    });
    this.farEnd = new FarEnd(
      (at, event, valid) => this.#schedule(at, event, valid),
      (uttId) => this.#lengthOf(this.#texts.get(uttId) ?? ''),
      undefined,
      (uttId) =>
        world.voiceStalls?.(this.#texts.get(uttId) ?? '') ? 500 : Number.POSITIVE_INFINITY,
    );
  }

  /** From now on the far end neither plays nor marks anything. */
  freezePlayback(): void {
    this.#due.splice(
      0,
      this.#due.length,
      ...this.#due.filter(({ event }) => !event.type.startsWith('play.')),
    );
  }

  /** The call's process dies and another takes the call over: model, voices, tools and playout are gone. */
  takeOver(gapMs: number): this {
    const lostAt = this.#now;
    this.farEnd.clear(lostAt);
    this.#due.splice(0);
    return this.at(lostAt, { type: 'media.lost' })
      .at(lostAt + gapMs, { type: 'media.resumed' })
      .at(lostAt + gapMs, { type: 'call.resumed', gapMs });
  }

  get now(): number {
    return this.#now;
  }

  /** An event at an instant of the call. */
  at(at: number, event: CallEvent): this {
    this.#schedule(at, event, () => true);
    return this;
  }

  answer(at = 0): this {
    return this.at(at, { type: 'leg.answered' });
  }

  /** The caller speaks, as voice activity and recogniser see it. Returns when the speech ends. */
  says(at: number, text: string, options: Saying = {}): number {
    const words = text.split(' ').filter((word) => word !== '');
    const ms = options.ms ?? Math.max(1, words.length) * 300;
    const end = at + ms;
    const segId = `s${++this.#segments}`;
    if (options.vad !== false) this.voice(at, ms);
    if (words.length === 0) return end;
    const heard = (type: 'stt.interim' | 'stt.final', when: number, said: string) =>
      this.at(when, {
        type,
        segId,
        text: said,
        startAt: at,
        endAt: Math.min(when, end),
        conf: 0.9,
      });
    for (let t = at + 350; options.interims !== false && t < end; t += 250) {
      const count = Math.floor(((t - at - 150) / ms) * words.length);
      if (count > 0) heard('stt.interim', t, words.slice(0, count).join(' '));
    }
    heard('stt.final', end + (options.finalMs ?? 150), text);
    return end;
  }

  /** Sound without words. */
  voice(at: number, ms: number): this {
    this.at(at + 80, { type: 'vad.start', onsetAt: at });
    for (let t = at + 580; t < at + ms; t += 500) this.at(t, { type: 'vad.alive' });
    return this.at(at + Math.max(100, ms) + 200, { type: 'vad.stop', speechEndAt: at + ms });
  }

  /** Lets the call live until then. */
  runTo(until: number): this {
    for (;;) {
      const next = this.#nextEvent();
      const timer = this.call.nextDueAt();
      const eventAt = next?.at ?? Number.POSITIVE_INFINITY;
      if (timer !== undefined && timer <= Math.min(eventAt, until)) {
        this.#now = Math.max(this.#now, timer);
        this.#obey(this.call.advanceTo(this.#now));
      } else if (next && eventAt <= until) {
        this.#due.splice(this.#due.indexOf(next), 1);
        this.#now = Math.max(this.#now, eventAt);
        if (next.valid()) this.#deliver(next.event);
      } else {
        this.#now = until;
        return this;
      }
    }
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
    return this.farEnd.heard.map(({ uttId }) => this.#texts.get(uttId) ?? '');
  }

  #record(
    kind: JournalLine['kind'],
    at: number,
    type: string,
    data: Readonly<Record<string, unknown>>,
  ): void {
    this.journal.push({ seq: this.#seq++, at, kind, type, data });
  }

  #nextEvent(): Due | undefined {
    let first: Due | undefined;
    for (const due of this.#due) {
      if (!first || due.at < first.at || (due.at === first.at && due.order < first.order)) {
        first = due;
      }
    }
    return first;
  }

  #schedule(at: number, event: CallEvent, valid: () => boolean): void {
    this.#due.push({ at: Math.round(at), order: this.#order++, event, valid });
  }

  #deliver(event: CallEvent): void {
    const stamped = { ...event, seq: this.#seq, at: this.#now } as StampedEvent;
    const { type, ...data } = event;
    this.#record('event', this.#now, type, data);
    this.#obey(this.call.dispatch(stamped));
    if (event.type === 'play.finished') this.farEnd.finished(this.#now);
  }

  #obey(commands: readonly StampedCommand[]): void {
    for (const command of commands) {
      this.commands.push(command);
      const { at, ...given } = command;
      const { type, data } = this.#form.of(given);
      this.#record('command', at, type, data);
      this.#react(command);
    }
  }

  #react(command: StampedCommand): void {
    const { at } = command;
    switch (command.type) {
      case 'llm.start':
        this.#generate(command.genId, command.messages.findLast((m) => m.role === 'user')?.content);
        break;
      case 'llm.cancel':
        this.#cancelled.add(`gen${command.genId}`);
        break;
      case 'tts.start':
        this.#texts.set(command.uttId, command.text);
        this.#voice(command.uttId, command.text);
        break;
      case 'tts.cancel':
        this.#cancelled.add(`utt${command.uttId}`);
        break;
      case 'play.start':
        this.farEnd.start(command.uttId, at);
        break;
      case 'play.hold':
        this.farEnd.hold(at);
        break;
      case 'play.release':
        this.farEnd.release(at);
        break;
      case 'play.clear':
        this.farEnd.clear(at);
        break;
      case 'predict':
        this.#predict(command.rev, command.text);
        break;
      case 'tool.invoke':
        this.#runTool(command.toolCallId, command.name);
        break;
    }
  }

  #generate(genId: number, text = ''): void {
    const answer = this.#world.model?.(text, this.#generations++) ?? 'All right.';
    const reply: ModelReply = typeof answer === 'string' ? { pieces: [answer] } : answer;
    const live = () => !this.#cancelled.has(`gen${genId}`);
    if (reply.silent) return;
    let at = this.#now + (this.#world.modelMs ?? 200);
    if (reply.error) {
      const error = { code: 'http_500', message: 'broken', retryable: true };
      this.#schedule(at, { type: 'llm.error', genId, error }, live);
      return;
    }
    for (const piece of reply.pieces ?? []) {
      this.#schedule(at, { type: 'llm.text', genId, text: piece }, live);
      at += 50;
    }
    for (const { id, name, args = '{}', problem } of reply.calls ?? []) {
      this.#schedule(
        at,
        {
          type: 'llm.toolCall',
          genId,
          toolCallId: id,
          name,
          arguments: args,
          ...(problem ? { problem } : {}),
        },
        live,
      );
    }
    this.#schedule(at, { type: 'llm.done', genId, reason: 'stop' }, live);
  }

  #predict(rev: number, text: string): void {
    const p = this.#world.predictor?.(text, rev - 1);
    if (p === undefined) return;
    const at = this.#now + (this.#world.predictorMs ?? 60);
    this.#schedule(at, { type: 'predict.result', rev, p }, () => true);
  }

  #lengthOf(text: string): number {
    return Math.max(1, text.split(/\s+/).length) * (this.#world.msPerWord ?? 300);
  }

  #voice(uttId: number, text: string): void {
    const at = this.#now + (this.#world.voiceMs ?? 100);
    const live = () => !this.#cancelled.has(`utt${uttId}`);
    if (this.#world.voiceFails?.(text)) {
      const error = { code: 'http_500', message: 'no voice', retryable: true };
      this.#schedule(at, { type: 'tts.failed', uttId, error }, live);
      return;
    }
    const ms = this.#world.msPerWord ?? 300;
    const words = text
      .split(/\s+/)
      .map((word, i) => ({ word, startMs: i * ms, endMs: (i + 1) * ms }));
    this.#schedule(at, { type: 'tts.audio', uttId }, live);
    if (this.#world.wordTimes !== false) {
      this.#schedule(at, { type: 'tts.words', uttId, words }, live);
    }
    if (this.#world.voiceStalls?.(text)) return;
    this.#schedule(at + 60, { type: 'tts.done', uttId, totalMs: words.length * ms }, live);
  }

  #runTool(toolCallId: string, name: string): void {
    const { afterMs, result, message } = {
      message: undefined,
      ...(this.#world.tool?.(name) ?? { afterMs: 300, result: 'done' }),
    };
    const said = message === undefined ? {} : { message };
    this.#schedule(
      this.#now + afterMs,
      result === undefined
        ? { type: 'tool.error', toolCallId, error: 'it failed', ...said }
        : { type: 'tool.result', toolCallId, result, ...said },
      () => true,
    );
  }
}
