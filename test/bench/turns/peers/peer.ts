import { type Language, languageOf } from '../../../../src/engine/language/language.ts';
import type { CallCommand, StampedCommand } from '../../../../src/engine/machine/commands.ts';
import type { CallEvent, StampedEvent } from '../../../../src/engine/machine/events.ts';
import type { CallSettings } from '../../../../src/engine/settings/settings.ts';
import { lastQuestion } from '../../../../src/engine/turn/last-question.ts';
import { combineJudgements, predictUnfinished } from '../../../../src/engine/turn/predictor.ts';
import { VirtualClock } from '../../../../src/lib/virtual-clock.ts';
import type { LlmMessage } from '../../../../src/ports/llm.ts';
import type { Engine } from '../engine.ts';
import { HeardText, type TextEvent } from './heard-text.ts';
import { PeerVoice } from './peer-voice.ts';

/** What a peer judges a pause from: its own model of the sound, our reading of the words, or both. */
export type Knowledge = 'sound' | 'words' | 'sound and words';

interface Draft {
  readonly genId: number;
  readonly text: string;
  readonly pieces: string[];
  done: boolean;
}

/**
 * What all peers have in common: the same world, the same vendors and the same commands as our own engine.
 * When a turn is over and who has the floor is each one's own.
 */
export abstract class Peer implements Engine {
  protected readonly settings: CallSettings;
  protected readonly voice: PeerVoice;
  protected readonly language: Language;
  protected readonly heard = new HeardText();
  /** The caller's voice is active, its onset, its last end, and when voice activity said so. */
  protected voiced = false;
  protected onsetAt = 0;
  protected speechEndAt = 0;
  protected stoppedAt = 0;
  protected textAt = 0;
  readonly #clock = new VirtualClock();
  readonly #knowledge: Knowledge;
  readonly #messages: LlmMessage[] = [];
  readonly #timers = new Map<string, unknown>();
  #out: StampedCommand[] = [];
  #sound: number | undefined;
  #asked = false;
  #rev = 0;
  #turn = 0;
  #gen = 0;
  #draft: Draft | undefined;
  finished = false;

  constructor(settings: CallSettings, knowledge: Knowledge) {
    this.settings = settings;
    this.#knowledge = knowledge;
    this.language = languageOf(settings.languages);
    this.voice = new PeerVoice((command) => this.emit(command));
  }

  protected abstract voiceStarted(): void;
  protected abstract voiceStopped(): void;
  /** Text has come and is part of what was {@link heard}. */
  protected abstract textCame(event: TextEvent): void;
  /** When the turn counts as over, as far as can be told now. */
  protected abstract endsAt(): number | undefined;
  /** A piece of the reply has begun to sound, or the reply is over. */
  protected replyStarted(): void {}
  protected replyEnded(): void {}

  get resting(): boolean {
    return !this.voice.busy && !this.voiced;
  }

  dispatch(event: StampedEvent): readonly StampedCommand[] {
    this.#clock.advanceTo(event.at);
    this.take(event);
    this.pump();
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

  protected get now(): number {
    return this.#clock.now();
  }

  protected emit(command: CallCommand): void {
    this.#out.push({ ...command, at: this.now });
  }

  protected arm(name: string, at: number, act: () => void): void {
    this.disarm(name);
    const fire = () => {
      this.#timers.delete(name);
      act();
    };
    this.#timers.set(name, this.#clock.setTimeout(fire, Math.max(0, Math.round(at) - this.now)));
  }

  protected disarm(...names: readonly string[]): void {
    for (const name of names) {
      this.#clock.clearTimeout(this.#timers.get(name));
      this.#timers.delete(name);
    }
  }

  protected isArmed(name: string): boolean {
    return this.#timers.has(name);
  }

  /** The probability that the caller goes on; nothing while a model still thinks about it. */
  protected get unfinished(): number | undefined {
    if (this.#knowledge === 'sound') return this.#sound;
    const about = lastQuestion(this.voice.lastHeard, this.language);
    const words = predictUnfinished({
      ...about,
      text: this.heard.all,
      language: this.language,
      expected: [],
    });
    if (this.#knowledge === 'words') return words;
    return this.#sound === undefined ? undefined : combineJudgements(this.#sound, words);
  }

  /** Asks the model of the sound about this silence, once. */
  protected ask(): void {
    if (this.#knowledge === 'words' || this.#asked) return;
    this.#asked = true;
    this.emit({ type: 'predict', rev: ++this.#rev, text: this.heard.all, lastAssistantText: '' });
  }

  protected armEndpoint(): void {
    const endsAt = this.voiced ? undefined : this.endsAt();
    if (endsAt === undefined) this.disarm('endpoint');
    else this.arm('endpoint', endsAt, () => this.commit());
  }

  /** What was heard of the reply, or of its beginning, stays in the conversation; the rest is dropped. */
  protected settle(cancel: boolean): void {
    if (this.voice.heard !== '') {
      this.#messages.push({ role: 'assistant', content: this.voice.heard });
    }
    this.voice.reset(cancel);
    this.replyEnded();
  }

  protected pauseOutput(): void {
    if (this.voice.paused) return;
    this.voice.paused = true;
    if (this.voice.sounding) this.emit({ type: 'play.hold' });
  }

  protected resumeOutput(): void {
    if (!this.voice.paused) return;
    this.voice.paused = false;
    if (this.voice.sounding) this.emit({ type: 'play.release' });
    this.pump();
  }

  /** Begins to answer a text before its turn is over. */
  protected draftReply(text: string): boolean {
    if (text === this.#draft?.text) return false;
    this.dropDraft();
    const genId = ++this.#gen;
    this.#draft = { genId, text, pieces: [], done: false };
    this.#start(genId, this.#turn + 1, text, true);
    return true;
  }

  protected dropDraft(): void {
    if (this.#draft) this.emit({ type: 'llm.cancel', genId: this.#draft.genId });
    this.#draft = undefined;
  }

  /** What of the text is answered. */
  protected get turnText(): string {
    return this.heard.final;
  }

  /** The turn is over: the model is asked, audio starts no earlier than in `floorMs`. */
  protected commit(floorMs = 0): void {
    if (this.voice.busy) this.settle(true);
    const text = this.turnText;
    const turn = ++this.#turn;
    const draft = this.#draft?.text === text ? this.#draft : undefined;
    if (!draft) this.dropDraft();
    this.#draft = undefined;
    this.disarm('endpoint');
    this.voice.notBefore = Math.max(this.voice.notBefore, this.now + floorMs);
    if (draft) {
      this.emit({ type: 'llm.adopt', genId: draft.genId });
      this.voice.generation(draft.genId, draft.pieces, draft.done);
    } else {
      const genId = ++this.#gen;
      this.#start(genId, turn, text, false);
      this.voice.generation(genId, [], false);
    }
    this.#messages.push({ role: 'user', content: text });
    this.heard.answered(text);
    this.#sound = undefined;
    this.#asked = false;
    this.pump();
  }

  protected pump(): void {
    const sounded = this.voice.sounding;
    const over = this.voice.pump(this.now);
    if (!sounded && this.voice.sounding) this.replyStarted();
    if (over) this.settle(false);
    else if (this.voice.busy && this.now < this.voice.notBefore) {
      this.arm('floor', this.voice.notBefore, () => this.pump());
    }
  }

  #start(genId: number, turn: number, text: string, speculative: boolean): void {
    const messages = [...this.#messages, { role: 'user', content: text } as const];
    const rest = { tools: [], toolChoice: 'auto' } as const;
    this.emit({ type: 'llm.start', genId, turn, messages, ...rest, speculative });
  }

  #taken(): readonly StampedCommand[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  protected take(event: CallEvent): void {
    switch (event.type) {
      case 'leg.answered':
        this.voice.line(this.settings.welcome.message);
        break;
      case 'remote.hangup':
        this.finished = true;
        break;
      case 'vad.start':
        this.voiced = true;
        this.onsetAt = event.onsetAt;
        this.#sound = undefined;
        this.#asked = false;
        this.disarm('endpoint');
        this.voiceStarted();
        break;
      case 'vad.stop':
        this.voiced = false;
        this.speechEndAt = event.speechEndAt;
        this.stoppedAt = this.now;
        this.voiceStopped();
        break;
      case 'stt.interim':
      case 'stt.final':
        this.#takeText(event);
        break;
      case 'predict.result':
        if (event.rev !== this.#rev) break;
        this.#sound = event.p;
        this.armEndpoint();
        break;
      case 'tts.failed':
        this.settle(true);
        break;
      default:
        this.#takeVendor(event);
    }
  }

  #takeText(event: TextEvent): void {
    if (!this.heard.take(event)) return;
    this.textAt = this.now;
    // A voice that voice activity missed ended where its words did.
    if (!this.voiced && event.endAt > this.speechEndAt + 300) {
      this.speechEndAt = event.endAt;
      this.stoppedAt = this.now;
      this.#asked = false;
    }
    this.textCame(event);
  }

  #takeVendor(event: CallEvent): void {
    const draft = this.#draft;
    if (event.type === 'llm.text' && event.genId === draft?.genId) draft.pieces.push(event.text);
    else if (event.type === 'llm.done' && event.genId === draft?.genId) draft.done = true;
    else this.voice.take(event);
  }
}
