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

interface Options {
  readonly init: SessionInit;
  readonly deps: SessionDeps;
  readonly leg: MediaLeg;
  readonly settings: CallSettings;
  /** Gets every command of the briefing's machine before it is carried out. */
  readonly onCommand: (command: CallCommand) => void;
  readonly onUsage: (genId: number, usage: LlmUsage) => void;
  readonly onCrash: (error: unknown) => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** The answers of operators, given to recognisers as phrases to expect. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'yes please put them through',
    'put them through',
    'put him through',
    'put her through',
    'please connect us',
    'go ahead',
    "I'll take it",
    "I'll take the call",
    'not now',
    "I can't take it now",
    "I'm busy",
    'please call later',
    'please leave a message after the tone',
    'is not available',
  ],
  fr: [
    'oui passez le moi',
    'passez la moi',
    'je prends',
    'allez y',
    'pas maintenant',
    'je suis occupé',
    'plus tard',
    'laissez un message après le bip',
  ],
};

/** A call of its own with the operator on their leg, run by a second machine while the caller waits. */
export class OperatorBriefing {
  readonly #runner: CallRunner;
  readonly #parts: SessionParts;
  readonly #clock: Clock;
  readonly #conductor: Conductor;
  #closed = false;

  constructor({ init, deps, leg, settings, ...on }: Options) {
    const { callId, voice, model } = init;
    // The phrases and topics of the caller's call do not fit an operator's answers.
    const { languages } = init.recognition;
    const recognition = { ...init.recognition, phrases: phrasesIn(languages), topics: [] };
    const startedAtMs = deps.clock.now();
    this.#runner = new CallRunner({
      clock: deps.clock,
      call: new Call({ settings }),
      startedAtMs,
      // The only journal is that of the caller's call: its machine gets what matters of the briefing as events.
      append: () => undefined,
      run: (command) => {
        if (this.#closed) return;
        on.onCommand(command);
        // The operator's answer is a tool call: `onCommand` handles it. The caller's call ends the leg.
        const isForVoice = isForParts(command) && command.type !== 'tool.invoke';
        if (isForVoice && !this.#closed) this.#conductor.carryOut(command);
      },
      onCrash: on.onCrash,
    });
    this.#clock = deps.clock;
    const own = { callId, settings, voice, model, recognition };
    this.#parts = createParts(own, deps, leg.sampleRateHz, {
      emit: (event) => this.#runner.send(event),
      // A briefing runs no tools and has no recording.
      durable: async () => true,
      ownsCall: async () => true,
      at: (clockMs) => this.#runner.at(clockMs),
      onUsage: on.onUsage,
      onWaste: () => undefined,
      onUnexpected: on.onUnexpected,
      onRecordingStopped: () => undefined,
    });
    this.#conductor = new Conductor(this.#parts);
    this.#parts.playout.attach(leg);
    this.#runner.send({ type: 'leg.answered' });
  }

  audio(pcm: Int16Array): void {
    if (this.#closed) return;
    this.#parts.predictor?.write(pcm);
    this.#parts.listener.write(pcm, this.#clock.now());
  }

  mark(name: string): void {
    this.#parts.playout.marked(name);
  }

  cleared(playedMs: number): void {
    this.#parts.playout.cleared(playedMs);
  }

  lost(): void {
    this.#parts.playout.detach();
    this.#runner.send({ type: 'media.lost' });
  }

  resumed(leg: MediaLeg): void {
    if (this.#closed) return;
    this.#runner.send({ type: 'media.resumed' });
    this.#parts.playout.attach(leg);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#runner.stop();
    this.#conductor.close();
  }
}

/** The phrases for these languages, which may have a region. */
function phrasesIn(languages: readonly string[]): readonly string[] {
  const bases = new Set(languages.map((language) => language.split('-')[0] ?? ''));
  return [...bases].flatMap((language) => PHRASES[language] ?? []);
}
