import type { OperatorOutcome } from '../../contract/assistant-test.ts';
import type { TransferMode } from '../../engine/settings/settings.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type {
  DialledOperator,
  OperatorDial,
  OperatorEvents,
  OperatorLine,
} from '../../ports/operator-line.ts';
import { ANSWERS_MS, RINGS_MS } from '../operators.ts';
import { type AnsweringOutcome, type OperatorSounds, playOperator } from './play-operator.ts';
import type { PutThrough } from './put-through.ts';
import { SteadyCaller } from './steady-caller.ts';

interface Options {
  readonly clock: Clock;
  readonly mode: TransferMode;
  readonly next: () => OperatorOutcome;
  readonly putThrough: PutThrough;
  readonly sounds: OperatorSounds;
  readonly sampleRateHz: number;
  readonly signal: AbortSignal;
}

/** Operators on the clock of the call who do what the test says, with nothing between them and the call. */
export class SteadyOperators implements OperatorLine {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  dial({ callId, ringMs }: OperatorDial, events: OperatorEvents): DialledOperator {
    const { clock, next, putThrough } = this.#options;
    const timers: Timer[] = [];
    const at = (ms: number, act: () => void) => timers.push(clock.setTimeout(act, ms));
    let isOver = false;
    const over = () => {
      if (!isOver) putThrough.ended();
      isOver = true;
    };
    putThrough.dialled();
    const outcome = next();
    switch (outcome) {
      case 'busy':
      case 'line-error':
        at(RINGS_MS, () => {
          over();
          events.failed(outcome, outcome);
        });
        break;
      case 'no-answer':
        at(RINGS_MS, () => events.ringing());
        // As a carrier tells it, which was asked to ring for so long.
        at(ringMs - 1, () => {
          over();
          events.failed(outcome, outcome);
        });
        break;
      default:
        at(RINGS_MS, () => events.ringing());
        at(ANSWERS_MS, () => void this.#answer(callId, events, outcome).then(over, over));
    }
    const hangUp = () => {
      for (const timer of timers) clock.clearTimeout(timer);
      over();
    };
    return { hangUp, leave: hangUp };
  }

  resume(_: unknown, events: OperatorEvents): DialledOperator {
    this.#options.clock.setTimeout(() => events.failed('line-error', 'gone'), 0);
    return { hangUp: () => undefined, leave: () => undefined };
  }

  release(): void {
    // No other process has dialled anyone.
  }

  /** Rejects only with the signal. */
  async #answer(callId: string, events: OperatorEvents, outcome: AnsweringOutcome): Promise<void> {
    const { clock, sampleRateHz, ...options } = this.#options;
    const phone = new SteadyCaller({ clock, callId, sampleRateHz, onFrame: () => undefined });
    phone.answered(events.answered(phone.leg));
    try {
      await playOperator({ ...options, clock, phone, outcome });
      await phone.ended;
    } finally {
      phone.close();
    }
  }
}
