import { Call } from '../../engine/machine/call.ts';
import type { CallCommand } from '../../engine/machine/commands.ts';
import type { CallSettings } from '../../engine/settings/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LlmUsage } from '../../ports/llm.ts';
import type { MediaLeg } from '../../ports/media.ts';
import { CallRunner } from '../call-runner.ts';
import { isForParts } from '../command-owners.ts';
import { Conductor } from '../conductor.ts';
import {
  createParts,
  type SessionDeps,
  type SessionInit,
  type SessionParts,
} from '../session-parts.ts';
import { briefingPhrases } from './briefing-phrases.ts';

interface Options {
  readonly init: SessionInit;
  readonly deps: SessionDeps;
  readonly leg: MediaLeg;
  readonly settings: CallSettings;
  /** Every command of the mind, before it is carried out. */
  readonly onCommand: (command: CallCommand) => void;
  readonly onUsage: (usage: LlmUsage) => void;
  readonly onCrash: (error: unknown) => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** The body of the second mind: talks with the operator alone, on their leg, while the caller waits. */
export class OperatorBriefing {
  readonly #loop: CallRunner;
  readonly #parts: SessionParts;
  readonly #clock: Clock;
  readonly #conductor: Conductor;
  #closed = false;

  constructor({ init, deps, leg, settings, ...on }: Options) {
    const { callId, voice, model } = init;
    // What the caller may ask is not what a colleague answers.
    const { languages } = init.hearing;
    const hearing = { ...init.hearing, phrases: briefingPhrases(languages), topics: [] };
    const startedAtMs = deps.clock.now();
    this.#loop = new CallRunner({
      clock: deps.clock,
      call: new Call({ callId, settings }),
      startedAtMs,
      // The journal is the caller's call alone: what matters of this one enters there as its events.
      append: () => undefined,
      run: (command) => {
        if (this.#closed) return;
        on.onCommand(command);
        // Whoever decides is not answered, and the leg is the caller's call's to end.
        const isOurs = isForParts(command) && command.type !== 'tool.invoke';
        if (isOurs && !this.#closed) this.#conductor.carryOut(command);
      },
      onCrash: on.onCrash,
    });
    this.#clock = deps.clock;
    this.#parts = createParts({ callId, settings, voice, model, hearing }, deps, leg.sampleRateHz, {
      emit: (event) => this.#loop.send(event),
      at: (clockMs) => this.#loop.at(clockMs),
      onUsage: on.onUsage,
      onWaste: () => undefined,
      onUnexpected: on.onUnexpected,
      // Nothing of it is recorded.
      onRecordingStopped: () => undefined,
    });
    this.#conductor = new Conductor(this.#parts);
    this.#parts.playout.attach(leg);
    this.#loop.send({ type: 'leg.answered' });
  }

  audio(pcm: Int16Array): void {
    if (this.#closed) return;
    this.#parts.judge?.hear(pcm);
    this.#parts.listener.hear(pcm, this.#clock.now());
  }

  mark(name: string): void {
    this.#parts.playout.marked(name);
  }

  cleared(playedMs: number): void {
    this.#parts.playout.cleared(playedMs);
  }

  lost(): void {
    this.#parts.playout.detach();
    this.#loop.send({ type: 'media.lost' });
  }

  resumed(leg: MediaLeg): void {
    if (this.#closed) return;
    this.#loop.send({ type: 'media.resumed' });
    this.#parts.playout.attach(leg);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#loop.stop();
    this.#conductor.close();
  }
}
