import type { CallCommand, StampedCommand } from '../../../../src/engine/machine/commands.ts';
import type { CallEvent, StampedEvent } from '../../../../src/engine/machine/events.ts';
import type { CallSettings } from '../../../../src/engine/settings/settings.ts';
import { VirtualClock } from '../../../../src/lib/virtual-clock.ts';
import type { LlmMessage } from '../../../../src/ports/llm.ts';
import type { Engine } from '../engine.ts';
import type { OtherPolicy } from './other-policy.ts';
import { OtherVoice } from './other-voice.ts';

/** An engine with another's policy: the same world, the same vendors, the same commands. */
export class OtherEngine implements Engine {
  readonly #policy: OtherPolicy;
  readonly #settings: CallSettings;
  readonly #clock = new VirtualClock();
  readonly #voice: OtherVoice;
  readonly #messages: LlmMessage[] = [];
  #out: StampedCommand[] = [];
  #timers = new Map<string, unknown>();
  #segments = new Map<string, { readonly text: string; readonly final: boolean }>();
  #voiced = false;
  #speechEndAt = 0;
  #stoppedAt = 0;
  #textAt = 0;
  #p: number | undefined;
  #rev = 0;
  #turn = 0;
  #gen = 0;
  #draft:
    | { readonly genId: number; readonly text: string; pieces: string[]; done: boolean }
    | undefined;
  finished = false;

  constructor(policy: OtherPolicy, settings: CallSettings) {
    this.#policy = policy;
    this.#settings = settings;
    this.#voice = new OtherVoice((command) => this.#emit(command));
  }

  get resting(): boolean {
    return !this.#voice.busy && !this.#voiced;
  }

  dispatch(event: StampedEvent): readonly StampedCommand[] {
    this.#clock.advanceTo(event.at);
    this.#take(event);
    return this.#taken();
  }

  advanceTo(at: number): readonly StampedCommand[] {
    this.#clock.advanceTo(at);
    return this.#taken();
  }

  nextDueAt(): number | undefined {
    return this.#clock.nextDueAt();
  }

  stop(): void {
    this.#timers.clear();
  }

  #taken(): readonly StampedCommand[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #emit(command: CallCommand): void {
    this.#out.push({ ...command, at: this.#clock.now() });
  }

  #arm(name: string, at: number, act: () => void): void {
    this.#disarm(name);
    this.#timers.set(name, this.#clock.setTimeout(act, Math.max(0, at - this.#clock.now())));
  }

  #disarm(...names: readonly string[]): void {
    for (const name of names) this.#clock.clearTimeout(this.#timers.get(name));
  }

  #take(event: CallEvent): void {
    const now = this.#clock.now();
    switch (event.type) {
      case 'leg.answered':
        this.#voice.line(this.#settings.welcome.message);
        break;
      case 'remote.hangup':
        this.finished = true;
        break;
      case 'vad.start':
        this.#voiced = true;
        this.#p = undefined;
        this.#disarm('endpoint', 'resume');
        this.#arm('voice', event.onsetAt + this.#policy.voiceMs, () => this.#takeFloor());
        break;
      case 'vad.stop':
        this.#voiced = false;
        this.#speechEndAt = event.speechEndAt;
        this.#stoppedAt = now;
        this.#disarm('voice');
        this.#resumeLater();
        this.#judge();
        break;
      case 'stt.interim':
      case 'stt.final':
        this.#takeText(event.segId, event.text, event.type === 'stt.final');
        break;
      case 'predict.result':
        if (event.rev !== this.#rev) break;
        this.#p = event.p;
        this.#armEndpoint();
        break;
      default:
        this.#takeVendor(event);
    }
    this.#pump();
  }

  #takeVendor(event: CallEvent): void {
    const draft = this.#draft;
    if (event.type === 'llm.text' && event.genId === draft?.genId) draft.pieces.push(event.text);
    else if (event.type === 'llm.done' && event.genId === draft?.genId) draft.done = true;
    else this.#voice.take(event);
  }

  #pump(): void {
    const voice = this.#voice;
    if (voice.pump(this.#clock.now())) this.#settle(false);
    else if (voice.busy && this.#clock.now() < voice.notBefore) {
      this.#arm('floor', voice.notBefore, () => this.#pump());
    }
  }

  // What was heard of the reply, or of its beginning, stays in the conversation.
  #settle(cancel: boolean): void {
    if (this.#voice.heard !== '') {
      this.#messages.push({ role: 'assistant', content: this.#voice.heard });
    }
    this.#voice.reset(cancel);
  }

  /** The caller's voice or words come over the reply, sounding or not. */
  #takeFloor(): void {
    const { resumeMs, backoffMs } = this.#policy;
    if (!this.#voice.busy || this.#voice.paused) return;
    if (resumeMs !== undefined) {
      this.#voice.paused = true;
      if (this.#voice.sounding) this.#emit({ type: 'play.hold' });
      return;
    }
    const now = this.#clock.now();
    this.#settle(true);
    if (backoffMs !== undefined) this.#voice.notBefore = now + backoffMs;
  }

  #resumeLater(): void {
    const { resumeMs } = this.#policy;
    if (!this.#voice.paused || resumeMs === undefined || this.#text !== '') return;
    this.#arm('resume', this.#clock.now() + resumeMs, () => {
      this.#voice.paused = false;
      if (this.#voice.sounding) this.#emit({ type: 'play.release' });
      this.#pump();
    });
  }

  #takeText(segId: string, text: string, final: boolean): void {
    if (text.trim() === '') return;
    this.#segments.set(segId, { text, final });
    this.#textAt = this.#clock.now();
    this.#takeFloor();
    this.#disarm('resume');
    if (this.#voiced) return;
    if (this.#stoppedAt === 0 || this.#speechEndAt < this.#stoppedAt - 5000) {
      this.#speechEndAt = this.#textAt;
      this.#stoppedAt = this.#textAt;
    }
    if (final) this.#preempt();
    this.#judge();
  }

  get #text(): string {
    return [...this.#segments.values()].map(({ text }) => text).join(' ');
  }

  #judge(): void {
    if (this.#policy.predicts && this.#p === undefined) {
      this.#emit({
        type: 'predict',
        rev: ++this.#rev,
        text: this.#text,
        lastAssistantText: '',
      });
    }
    this.#armEndpoint();
  }

  #armEndpoint(): void {
    if (this.#voiced) return;
    const endsAt = this.#policy.endsAt({
      now: this.#clock.now(),
      speechEndAt: this.#speechEndAt,
      stoppedAt: this.#stoppedAt,
      textAt: this.#textAt,
      text: this.#text,
      isFinal: [...this.#segments.values()].every(({ final }) => final),
      p: this.#p,
      sttP99Ms: this.#settings.sttP99Ms,
    });
    if (endsAt === undefined) this.#disarm('endpoint');
    else this.#arm('endpoint', endsAt, () => this.#commit());
  }

  #preempt(): void {
    if (!this.#policy.preemptive || this.#text === this.#draft?.text) return;
    this.#dropDraft();
    const genId = ++this.#gen;
    this.#draft = { genId, text: this.#text, pieces: [], done: false };
    this.#start(genId, this.#turn + 1, true);
  }

  #dropDraft(): void {
    if (this.#draft) this.#emit({ type: 'llm.cancel', genId: this.#draft.genId });
    this.#draft = undefined;
  }

  #start(genId: number, turn: number, speculative: boolean): void {
    const messages = [...this.#messages, { role: 'user', content: this.#text } as const];
    const rest = { tools: [], toolChoice: 'auto' } as const;
    this.#emit({ type: 'llm.start', genId, turn, messages, ...rest, speculative });
  }

  #commit(): void {
    if (this.#voice.busy) this.#settle(true);
    const now = this.#clock.now();
    this.#disarm('resume', 'voice', 'endpoint');
    const turn = ++this.#turn;
    const draft = this.#draft?.text === this.#text ? this.#draft : undefined;
    if (!draft) this.#dropDraft();
    this.#voice.notBefore = Math.max(this.#voice.notBefore, now + (this.#policy.floorMs ?? 0));
    if (draft) {
      this.#emit({ type: 'llm.adopt', genId: draft.genId });
      this.#voice.generation(draft.genId, draft.pieces, draft.done);
    } else {
      const genId = ++this.#gen;
      this.#start(genId, turn, false);
      this.#voice.generation(genId, [], false);
    }
    this.#messages.push({ role: 'user', content: this.#text });
    this.#draft = undefined;
    this.#segments = new Map();
    this.#p = undefined;
    this.#pump();
  }
}
