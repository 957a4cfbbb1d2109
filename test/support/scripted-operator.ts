import type { Clock } from '../../src/ports/clock.ts';
import type { LegSink } from '../../src/ports/media.ts';
import type {
  DialledOperator,
  OperatorDial,
  OperatorEvents,
  OperatorLegName,
  OperatorLine,
} from '../../src/ports/operator-line.ts';
import { MemoryLeg } from './memory-leg.ts';

/** An operator's telephone in the hand of the test. */
export class ScriptedOperator {
  readonly request: OperatorLegName & Partial<OperatorDial>;
  readonly events: OperatorEvents;
  readonly leg: MemoryLeg;
  readonly keys: string[] = [];
  sink: LegSink | undefined;
  hungUp = false;
  hasLeft = false;

  constructor(clock: Clock, request: ScriptedOperator['request'], events: OperatorEvents) {
    this.request = request;
    this.events = events;
    this.leg = new MemoryLeg({ clock, sampleRateHz: 8000 });
    Object.assign(this.leg, { sendDtmf: (digits: string) => void this.keys.push(digits) });
    this.leg.onMark = (name) => this.sink?.mark(name);
    this.leg.onCleared = (playedMs) => this.sink?.cleared(playedMs);
  }

  answer(): void {
    this.sink = this.events.answered(this.leg);
  }

  /** 20 ms of a constant level. */
  speak(level: number): void {
    this.sink?.audio(new Int16Array(160).fill(level));
  }

  hangUp(): void {
    this.sink?.hangup();
  }
}

/** Telephones nobody: the test answers, or does not. */
export class ScriptedOperatorLine implements OperatorLine {
  readonly dialled: ScriptedOperator[] = [];
  /** Legs of an earlier process that the call has asked for. */
  readonly resumed: ScriptedOperator[] = [];
  /** Legs of an earlier process that the call has hung up. */
  readonly released: OperatorLegName[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get last(): ScriptedOperator {
    const operator = this.dialled.at(-1);
    if (!operator) throw new Error('nobody was dialled');
    return operator;
  }

  dial(request: OperatorDial, events: OperatorEvents): DialledOperator {
    return this.#open(this.dialled, request, events);
  }

  resume(leg: OperatorLegName, events: OperatorEvents): DialledOperator {
    return this.#open(this.resumed, leg, events);
  }

  release(leg: OperatorLegName): void {
    this.released.push(leg);
  }

  #open(
    among: ScriptedOperator[],
    request: ScriptedOperator['request'],
    events: OperatorEvents,
  ): DialledOperator {
    const operator = new ScriptedOperator(this.#clock, request, events);
    among.push(operator);
    return {
      hangUp: () => {
        operator.hungUp = true;
      },
      leave: () => {
        operator.hasLeft = true;
        operator.leg.moved();
      },
    };
  }
}
