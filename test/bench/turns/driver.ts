import { ENGINE_VERSION } from '../../../src/engine/machine/call.ts';
import type { CallCommand, StampedCommand } from '../../../src/engine/machine/commands.ts';
import type { CallEvent, StampedEvent } from '../../../src/engine/machine/events.ts';
import { JournalForm } from '../../../src/engine/machine/journal-form.ts';
import type { CallSettings } from '../../../src/engine/settings/settings.ts';
import { VirtualClock } from '../../../src/lib/virtual-clock.ts';
import type { JournalLine } from '../../../src/ports/journal.ts';
import { SimulatedPlayout } from '../../../src/simulation/playout.ts';
import { callSettings } from '../../support/call-settings.ts';

import { Caller } from './caller.ts';
import type { Engine, EngineKind, Senses } from './engine.ts';
import { isJudgedOthers } from './judge.ts';
import { Oracle } from './oracle.ts';
import { Random } from './random.ts';
import { Room } from './room.ts';
import type { Script } from './script.ts';
import { Television } from './television.ts';
import type { Sound, Trace } from './trace.ts';
import { PREDICTOR, RECOGNISERS, sampleLatency } from './vendor-profiles.ts';
import { Vendors } from './vendors.ts';

export interface DriveOptions {
  /** Of the predictor outside, where it is not the engine's own. */
  readonly separation?: number;
  readonly journal?: boolean;
}

/** Longer than any wait but that for the caller, or for the end of the longest call. */
const SOON_MS = 9000;
/** Voice activity of the usual kind: half sure is enough, and nothing that a microphone gives is too soft. */
const EVERY_VOICE = { leastDb: -65, leastConfidence: 0.5 };
/** No call of the corpus lasts longer. */
const LONGEST_MS = 240_000;

/** The settings a script runs with. */
export function settingsOf(script: Script, kind: EngineKind): CallSettings {
  const settings = callSettings({
    languages: [script.language],
    drafts: true,
    sttP99Ms: Math.round(RECOGNISERS[script.recogniser].p99Ms),
    ...script.settings,
  });
  return kind.settings?.(settings) ?? settings;
}

/** Runs a script: the engine, the simulated caller and the vendors, all on one virtual clock. */
export function drive(script: Script, kind: EngineKind, options: DriveOptions = {}): Trace {
  return new Driver(script, kind, options).run();
}

class Driver {
  readonly #form = new JournalForm();
  readonly #script: Script;
  readonly #clock = new VirtualClock();
  readonly #engine: Engine;
  readonly #settings: CallSettings;
  readonly #farEnd: SimulatedPlayout;
  readonly #caller: Caller;
  readonly #vendors: Vendors;
  readonly #oracle: Oracle;
  readonly #television: Television | undefined;
  readonly #random: Random;
  readonly #commands: StampedCommand[] = [];
  readonly #journal: JournalLine[] | undefined;
  #seq = 0;
  #predictions = 0;
  #stuck = 0;
  /** The reply a sound belongs to changes with every commit and every line of the engine's own. */
  #replyBegan = true;

  constructor(script: Script, kind: EngineKind, { separation, journal }: DriveOptions) {
    this.#script = script;
    this.#settings = settingsOf(script, kind);
    this.#random = new Random(script.seed);
    this.#engine = kind.create(this.#settings, this.#senses());
    this.#oracle = new Oracle(separation ?? kind.separation);
    this.#journal = journal && kind.replayable ? [] : undefined;
    const later = (at: number, act: () => void) =>
      this.#clock.setTimeout(act, Math.round(at) - this.#clock.now());
    const emit = (event: CallEvent) => this.#deliver(event);
    const now = () => this.#clock.now();
    const keepsSilent = (text: string) =>
      isJudgedOthers(text, this.#caller.latest, this.#random, kind.judge);
    this.#vendors = new Vendors({ script, random: this.#random, now, later, emit, keepsSilent });
    this.#farEnd = new SimulatedPlayout(
      (at, event, valid) =>
        later(at, () => {
          if (valid()) this.#played(event);
        }),
      (uttId) => this.#vendors.lengthOf(uttId),
      (uttId) => this.#vendors.wordsOf(uttId),
    );
    const ear = {
      soundsAt: (at: number) => this.#farEnd.soundsAt(at),
      quietSince: (at: number) => this.#quietSince(at),
      replyMs: () => this.#vendors.replyMs(this.#farEnd.heard.at(-1)?.uttId ?? 0),
      wordsBetween: (from: number, to: number) => this.#wordsBetween(from, to),
    };
    const ears = kind.ears ?? EVERY_VOICE;
    const room = new Room({ ears, random: this.#random.fork('room'), now, later, emit });
    this.#caller = new Caller({ script, random: this.#random, ear, now, later, emit, room });
    if (script.television) {
      const db = script.callerDb - script.television.underDb;
      const random = this.#random.fork('television');
      const source = { id: 'television', db, confidence: 0.95 };
      this.#television = new Television(script.television, { later, random, source, room });
    }
    this.#record('note', 'call.created', {
      callId: script.id,
      engineVersion: ENGINE_VERSION,
      settings: this.#settings,
    });
  }

  run(): Trace {
    let fault: string | undefined;
    try {
      this.#deliver({ type: 'leg.answered' });
      this.#television?.begin(0);
      this.#caller.answered();
      this.#live();
      if (!this.#engine.finished) this.#deliver({ type: 'remote.hangup' });
    } catch (error) {
      fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    const at = this.#clock.now();
    const { resting, finished } = this.#ended ?? this.#engine;
    this.#engine.stop();
    return {
      script: this.#script,
      acts: this.#caller.acts,
      commands: this.#commands,
      sounds: this.#farEnd.heard.map((sound) => this.#given(sound)),
      generations: this.#vendors.generations,
      utterances: this.#vendors.utterances,
      stuck: this.#stuck,
      end: { at, finished, resting },
      journal: this.#journal,
      fault,
    };
  }

  #ended: { readonly resting: boolean; readonly finished: boolean } | undefined;

  /** Something is on its way, such as an idle prompt when the caller has just hung up: that is no rest, and not stuck. */
  #isDueBy(at: number): boolean {
    const dues = [this.#engine.nextDueAt(), this.#clock.nextDueAt()];
    return dues.some((due) => due !== undefined && due <= at);
  }

  #live(): void {
    while (!this.#engine.finished) {
      const { doneAt } = this.#caller;
      const until = Math.min(LONGEST_MS, this.#endAt(doneAt));
      const timer = this.#engine.nextDueAt();
      // Other engines are stood in for; only our own has timers for everything.
      if (timer === undefined && this.#journal) this.#stuck++;
      const world = this.#clock.nextDueAt();
      const at = Math.min(timer ?? until, world ?? until);
      if (at >= until) {
        this.#clock.advanceTo(until);
        this.#obey(this.#engine.advanceTo(until));
        const { resting, finished } = this.#engine;
        this.#ended = { resting: resting || this.#isDueBy(until + SOON_MS), finished };
        return;
      }
      // As in the service: what the engine does by itself at an instant comes before what happens then.
      if (timer !== undefined && timer <= at) {
        this.#obey(this.#engine.advanceTo(at));
      } else {
        this.#clock.advanceTo(at);
      }
    }
  }

  // A reply that sounds is heard out.
  #endAt(doneAt: number | undefined): number {
    if (doneAt === undefined) return LONGEST_MS;
    const now = this.#clock.now();
    const end = doneAt + this.#script.tailMs;
    return this.#farEnd.busy && now > end - 1000 && now < end + 20_000 ? now + 1000 : end;
  }

  #deliver(event: CallEvent): void {
    if (this.#engine.finished) return;
    const at = this.#clock.now();
    const stamped = { ...event, seq: this.#seq, at } as StampedEvent;
    const { type, ...data } = event;
    this.#record('event', type, data);
    this.#obey(this.#engine.dispatch(stamped));
    if (type === 'play.started') this.#sounds(event.uttId);
    if (type === 'play.finished') this.#farEnd.finished(at);
    if (type === 'play.finished' || type === 'play.held' || type === 'play.cleared') {
      this.#caller.hearsNothing();
    }
  }

  #sounds(uttId: number): void {
    const first = this.#vendors.beginsReply(uttId) || this.#replyBegan;
    this.#replyBegan = false;
    this.#caller.hears(first);
  }

  // What a stalled voice did not give can't have been played.
  #played(event: CallEvent): void {
    const givenMs =
      'uttId' in event ? this.#vendors.givenMs(event.uttId) : Number.POSITIVE_INFINITY;
    if (event.type === 'play.finished' && givenMs !== Number.POSITIVE_INFINITY) return;
    if (event.type === 'play.mark' && event.playedMs > givenMs) return;
    this.#deliver(
      'playedMs' in event ? { ...event, playedMs: Math.min(event.playedMs, givenMs) } : event,
    );
  }

  /** A stretch of sound, as far as the voice gave any. */
  #given(sound: Sound): Sound {
    const { uttId, from, fromMs, to } = sound;
    const givenMs = Math.max(0, this.#vendors.givenMs(uttId) - fromMs);
    return { ...sound, to: Math.min(to, from + givenMs) };
  }

  /** What models that hear the sound itself would tell an engine, each as well as it is published to. */
  #senses(): Senses {
    return {
      meansToInterrupt: (falseShare) => {
        const { meant, sound } = this.#caller.overlap;
        return meant || this.#random.fork('overlap', sound).chance(falseShare);
      },
    };
  }

  #quietSince(at: number): number | undefined {
    if (this.#farEnd.busy) return undefined;
    return this.#farEnd.soundsAt(at) ? undefined : (this.#farEnd.heard.at(-1)?.to ?? 0);
  }

  #wordsBetween(from: number, to: number): string {
    const sound = this.#farEnd.heard.at(-1);
    if (!sound || !this.#farEnd.soundsAt(this.#clock.now())) return '';
    const began = sound.from - this.#vendors.playedBefore(sound.uttId, this.#farEnd.heard);
    return this.#vendors
      .wordsOf(sound.uttId)
      .filter(({ startMs, endMs }) => began + startMs >= from - 60 && began + endMs <= to + 60)
      .map(({ word }) => word)
      .join(' ');
  }

  #obey(commands: readonly StampedCommand[]): void {
    for (const command of commands) {
      this.#commands.push(command);
      const { at, ...given } = command;
      const { type, data } = this.#form.of(given);
      this.#journal?.push({ seq: this.#seq++, at, kind: 'command', type, data });
      this.#react(command, Math.max(at, this.#clock.now()));
    }
  }

  #react(command: CallCommand, at: number): void {
    switch (command.type) {
      case 'play.start':
        this.#farEnd.start(command.uttId, at);
        break;
      case 'play.hold':
        this.#farEnd.hold(at);
        break;
      case 'play.release':
        this.#farEnd.release(at);
        break;
      case 'play.clear':
        this.#farEnd.clear(at);
        break;
      case 'predict':
        this.#predict(command.rev, at);
        break;
      case 'stt.flush':
        this.#caller.flush();
        break;
      default:
        this.#vendors.obey(command, at);
    }
  }

  #predict(rev: number, at: number): void {
    const random = this.#random.fork('predict', this.#predictions++);
    const { unfinished, silence } = this.#caller.midTurn;
    const p = this.#oracle.unfinished(
      unfinished,
      this.#random.fork('silence', silence),
      random.fork('look'),
    );
    this.#clock.setTimeout(
      () => this.#deliver({ type: 'predict.result', rev, p }),
      Math.round(at + sampleLatency(PREDICTOR, random)) - this.#clock.now(),
    );
  }

  #record(kind: JournalLine['kind'], type: string, data: Readonly<Record<string, unknown>>): void {
    this.#journal?.push({ seq: this.#seq, at: this.#clock.now(), kind, type, data });
    this.#seq++;
  }
}
