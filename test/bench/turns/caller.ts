import { wordsOf } from '../../../src/engine/language/words.ts';
import type { CallEvent } from '../../../src/engine/machine/events.ts';
import type { Said } from './judge.ts';
import { Mouth } from './mouth.ts';
import type { Random } from './random.ts';
import type { Room, Source } from './room.ts';
import type { Act, ActKind, Anchor, Script } from './script.ts';
import type { RealisedAct } from './trace.ts';

/** What the caller hears of the assistant. */
export interface Ear {
  soundsAt(at: number): boolean;
  /** Since when it is quiet; nothing while it is not. */
  quietSince(at: number): number | undefined;
  /** How long the reply that began to sound would be. */
  replyMs(): number;
  /** Words that sound (or will, if nothing intervenes) between two instants. */
  wordsBetween(from: number, to: number): string;
}

interface Deps {
  readonly script: Script;
  readonly random: Random;
  readonly ear: Ear;
  readonly now: () => number;
  readonly later: (at: number, act: () => void) => void;
  readonly emit: (event: CallEvent) => void;
  /** Where its sounds are heard with all others. */
  readonly room: Pick<Room, 'sounds' | 'breaksOff' | 'take'>;
}

/** A caller who is spoken over gives way after this. */
const YIELD_MS = 1000;
/** Standard deviation of the level from turn to turn. */
const TURN_DB = 1.5;
/** What a detector of voices gives speech. What is no speech and yet taken for a voice by most lies between 0.5 and 1. */
const SPEECH_CONFIDENCE = 0.95;
/** Without an answer the caller goes on with the script after this. */
const PATIENCE_MS = 12_000;

interface Running {
  readonly realised: RealisedAct;
  readonly mouth: Mouth;
  readonly source: Source;
  part: number;
  speaking: boolean;
}

/** A simulated caller: acts one after another, each when its moment has come, and hears what is said to it. */
export class Caller {
  readonly acts: RealisedAct[] = [];
  readonly #deps: Deps;
  #next = 0;
  #running: Running | undefined;
  /** Its last sound is reported even after it has ended. */
  #mouth: Mouth | undefined;
  /** The assistant has sounded since the last turn (or what counts as one) ended. */
  #heardSince = false;
  #doneAt: number | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The call was answered. */
  answered(): void {
    this.#await();
  }

  /** When the last act was over; nothing before. */
  get doneAt(): number | undefined {
    return this.#doneAt;
  }

  /** Whether the caller, silent or not, is in the middle of a turn, and a name for the silence. */
  get midTurn(): { readonly unfinished: boolean; readonly silence: string } {
    const running = this.#running;
    const speech = running && ['turn', 'interruption'].includes(running.realised.act.kind);
    if (!running || !speech) return { unfinished: false, silence: `${this.acts.length}.end` };
    return { unfinished: true, silence: `${this.acts.length}.${running.part}` };
  }

  /** The engine asks the recogniser for its final text. */
  flush(): void {
    this.#mouth?.flush();
  }

  /** The caller's side means to take the floor with what sounds now, and a name for that sound. */
  get overlap(): { readonly meant: boolean; readonly sound: string } {
    const kind = this.#running?.realised.act.kind;
    return {
      meant: kind === 'turn' || kind === 'interruption',
      sound: `${this.acts.length}.sound`,
    };
  }

  /** The words of what was said last, whether they were meant for the assistant, and a name for them. */
  get latest(): Said {
    const act = this.acts.at(-1)?.act;
    return {
      words: act?.parts.flatMap(({ text }) => wordsOf(text)) ?? [],
      meant: act?.kind === 'turn' || act?.kind === 'interruption',
      sound: `${this.acts.length}.sound`,
    };
  }

  /** The assistant begins to sound; `first`: a reply of its own, not a piece of one that went on before. */
  hears(first: boolean): void {
    const at = this.#deps.now();
    this.#heardSince = true;
    const anchor = this.#anchor();
    if (anchor && 'into' in anchor && first && !this.#running) {
      const into = 'share' in anchor ? anchor.share * this.#deps.ear.replyMs() : anchor.ms;
      this.#beginAt(at + into);
    }
    this.#spokenOver(at);
  }

  /** The assistant has fallen silent. */
  hearsNothing(): void {
    this.#endEcho();
    const anchor = this.#anchor();
    if (this.#running || !anchor || !('after' in anchor) || anchor.after !== 'reply') return;
    const since = this.#deps.ear.quietSince(this.#deps.now());
    if (since === undefined || !this.#heardSince) return;
    const index = this.#next;
    this.#deps.later(Math.max(since, this.acts.at(-1)?.to ?? 0) + anchor.ms, () => {
      const quiet = this.#deps.ear.quietSince(this.#deps.now());
      if (this.#next === index && quiet === since) this.#begin();
    });
  }

  #anchor(): Anchor | undefined {
    return this.#deps.script.acts[this.#next]?.start;
  }

  // The next act's moment: known at once, or with what the assistant does.
  #await(): void {
    const now = this.#deps.now();
    const anchor = this.#anchor();
    if (!anchor) {
      this.#doneAt = now;
      return;
    }
    if ('after' in anchor && anchor.after !== 'reply') {
      this.#beginAt(now + anchor.ms);
      return;
    }
    this.hearsNothing();
    const index = this.#next;
    this.#deps.later(now + PATIENCE_MS + ('ms' in anchor ? anchor.ms : 0), () => {
      if (this.#next === index && !this.#running && !this.#heardSince) this.#begin();
      else if (this.#next === index && !this.#running) this.#patience(index);
    });
  }

  // A reply that sounds is listened to, however long it is.
  #patience(index: number): void {
    this.#deps.later(this.#deps.now() + PATIENCE_MS, () => {
      if (this.#next !== index || this.#running) return;
      if (this.#deps.ear.soundsAt(this.#deps.now())) this.#patience(index);
      else this.#begin();
    });
  }

  #beginAt(at: number): void {
    const index = this.#next;
    this.#deps.later(at, () => {
      if (this.#next === index && !this.#running) this.#begin();
    });
  }

  #begin(): void {
    const { script, now, random, later, emit } = this.#deps;
    const act = script.acts[this.#next] as Act;
    const at = now();
    const realised: RealisedAct = { act, from: at, to: at, pauses: [], broken: false, tailMs: 0 };
    this.acts.push(realised);
    for (const { ms, event } of act.events ?? []) later(at + ms, () => emit(event));
    const hearing = { ...script.hearing, ...act.hearing };
    const { recogniser } = script;
    const fork = random.fork('mouth', this.#next);
    const id = `s${this.#next}`;
    const source: Source = {
      id,
      db: script.callerDb + (act.levelDb ?? 0) + this.#variation(act.kind),
      confidence: act.parts.some(({ text }) => text !== '')
        ? SPEECH_CONFIDENCE
        : random.fork('confidence', this.#next).between(0.5, 1),
    };
    const heard = (event: CallEvent) => this.#deps.room.take(source, event);
    const mouth = new Mouth(id, hearing, { later, emit: heard, random: fork, recogniser });
    this.#mouth = mouth;
    this.#running = { realised, mouth, source, part: 0, speaking: false };
    this.#speak();
  }

  // People differ from turn to turn; whoever else speaks is as loud as the script says.
  #variation(kind: ActKind): number {
    const own = kind === 'turn' || kind === 'interruption' || kind === 'backchannel';
    return own ? TURN_DB * this.#deps.random.fork('loudness', this.#next).normal() : 0;
  }

  #speak(): void {
    const running = this.#running as Running;
    const { realised, mouth, part: index } = running;
    const { parts, echoLagMs } = realised.act;
    const scripted = parts[index];
    const at = this.#deps.now();
    if (!scripted) {
      this.#end();
      return;
    }
    const pause = realised.pauses.at(-1);
    if (pause) pause.to = at;
    const text =
      echoLagMs === undefined
        ? scripted.text
        : this.#deps.ear.wordsBetween(at - echoLagMs, at - echoLagMs + scripted.ms);
    running.speaking = true;
    this.#deps.room.sounds(running.source, at, at + scripted.ms);
    mouth.begin({ ...scripted, text }, at, index === parts.length - 1);
    this.#deps.later(at + scripted.ms, () => {
      if (this.#running === running && running.speaking) this.#partEnds(running, scripted.pauseMs);
    });
  }

  #partEnds(running: Running, pauseMs: number): void {
    const { realised } = running;
    const at = this.#deps.now();
    running.speaking = false;
    running.part++;
    realised.to = at;
    if (running.part >= realised.act.parts.length) {
      this.#end();
      return;
    }
    realised.pauses.push({ from: at, to: at + pauseMs });
    this.#deps.later(at + pauseMs, () => {
      if (this.#running === running) this.#speak();
    });
  }

  // An echo lasts no longer than what it echoes.
  #endEcho(): void {
    const running = this.#running;
    const lagMs = running?.realised.act.echoLagMs;
    if (!running || lagMs === undefined) return;
    this.#deps.later(this.#deps.now() + lagMs, () => {
      const now = this.#deps.now();
      if (this.#running !== running || this.#deps.ear.soundsAt(now)) return;
      this.#breakOff(running, now);
      running.realised.to = now;
      this.#end();
    });
  }

  #breakOff({ mouth, source }: Running, at: number): void {
    mouth.cut(at);
    this.#deps.room.breaksOff(source.id, at);
  }

  // Only who has the floor and loses it gives way; who interrupts insists.
  #spokenOver(at: number): void {
    const running = this.#running;
    if (running?.realised.act.kind !== 'turn') return;
    if (running.realised.act.whenCutIn === 'insist') return;
    this.#deps.later(at + YIELD_MS, () => {
      const now = this.#deps.now();
      if (this.#running !== running || !this.#deps.ear.soundsAt(now)) return;
      if (running.speaking) {
        this.#breakOff(running, now);
        running.realised.to = now;
      }
      running.realised.broken = true;
      const pause = running.realised.pauses.at(-1);
      if (pause && pause.to > now) pause.to = now;
      this.#end();
    });
  }

  #end(): void {
    const running = this.#running as Running;
    running.realised.ended = this.#deps.now();
    this.#running = undefined;
    this.#next++;
    if (['turn', 'interruption', 'control'].includes(running.realised.act.kind)) {
      this.#heardSince = this.#deps.ear.soundsAt(this.#deps.now());
    }
    // The recogniser is not done with it yet.
    this.#deps.later(this.#deps.now() + 3000, () => {
      running.realised.tailMs = running.mouth.tailMs;
    });
    this.#await();
  }
}
