import { type Actor, createActor } from 'xstate';
import { VirtualClock } from '../../lib/virtual-clock.ts';
import { watchDraft } from '../reply/draft.ts';
import type { CallSettings } from '../settings/settings.ts';
import { tellLateResults } from '../tools/late-results.ts';
import { watchBlocked } from '../tools/tools.ts';
import { watchIdle } from '../turn/idle.ts';
import { watchMute } from '../turn/mute.ts';
import type { AssistantState, StampedCommand, UserState } from './commands.ts';
import { sayNext } from './control.ts';
import { directEvents } from './direct-events.ts';
import type { StampedEvent } from './events.ts';
import { callMachine } from './machine.ts';
import type { InnerEvent } from './mind.ts';
import { Mind } from './mind.ts';

/** Changes whenever the same journal may lead to other commands. */
export const ENGINE_VERSION = '12';

// A mind that talks to itself without end is a fault, not a call.
const MAX_INNER_EVENTS = 1000;

const DIRECT = directEvents(callMachine);

export interface CallView {
  readonly lifecycle: Mind['lifecycle'];
  readonly user: UserState;
  readonly assistant: AssistantState;
}

/**
 * The mind of one call: an ordered log of events in, commands out. It runs on its own virtual clock, so that
 * a live call, whose shell advances it by the wall clock, and its replay are the same.
 */
export class Call {
  readonly #clock = new VirtualClock();
  readonly #mind: Mind;
  readonly #actor: Actor<typeof callMachine>;
  #fault: unknown;
  #seenUser: UserState = 'silent';
  #seenAssistant: AssistantState = 'idle';

  constructor(init: { readonly callId: string; readonly settings: CallSettings }) {
    this.#mind = new Mind(init.settings, this.#clock);
    this.#actor = createActor(callMachine, { input: this.#mind });
    // xstate would throw an action's error in a timer of its own, where nobody can end the call for it.
    this.#actor.subscribe({
      error: (error) => {
        this.#fault = error;
      },
    });
    this.#actor.start();
  }

  get view(): CallView {
    const { lifecycle, user, assistant } = this.#mind;
    return { lifecycle, user, assistant };
  }

  /**
   * Fires what is due by then, each at its own instant, then the event, then what it set for this very instant: a
   * timer of the shell's, even one of no time, takes a millisecond. Returns all commands in order.
   */
  dispatch(event: StampedEvent): readonly StampedCommand[] {
    this.#advance(event.at);
    if (this.#mind.lifecycle !== 'finished') {
      this.#send(event);
      this.#settle();
      this.#advance(event.at);
    }
    return this.#mind.takeCommands();
  }

  /** Fires what is due by then. */
  advanceTo(at: number): readonly StampedCommand[] {
    this.#advance(at);
    return this.#mind.takeCommands();
  }

  /** The instant, ms since the call was created, at which the call next does something by itself. */
  nextDueAt(): number | undefined {
    return this.#clock.nextDueAt();
  }

  stop(): void {
    this.#mind.disarmAll();
    this.#actor.stop();
  }

  #advance(at: number): void {
    for (
      let due = this.#clock.nextDueAt();
      due !== undefined && due <= at;
      due = this.#clock.nextDueAt()
    ) {
      this.#clock.advanceTo(due);
      this.#settle();
    }
    this.#clock.advanceTo(at);
  }

  // What the parts of the mind told each other, then what follows from where all of them stand now.
  #settle(): void {
    const mind = this.#mind;
    for (let n = 0; ; n++) {
      if (n > MAX_INNER_EVENTS) throw new Error('the call machine does not come to rest');
      const inner: InnerEvent | undefined = mind.inbox.shift();
      if (inner) {
        this.#send(inner);
        continue;
      }
      this.#readStates();
      watchBlocked(mind);
      sayNext(mind);
      tellLateResults(mind);
      if (mind.inbox.length === 0) break;
    }
    watchMute(mind);
    watchDraft(mind);
    watchIdle(mind);
    this.#showStates();
  }

  #send(event: StampedEvent | InnerEvent): void {
    const direct = DIRECT.get(event.type);
    if (direct) {
      direct({ context: { mind: this.#mind }, event });
      return;
    }
    this.#actor.send(event);
    if (this.#fault !== undefined) throw this.#fault;
    this.#readStates();
  }

  #readStates(): void {
    const { value } = this.#actor.getSnapshot();
    this.#mind.lifecycle = value.lifecycle;
    this.#mind.user = value.user;
    this.#mind.assistant = value.assistant;
    this.#mind.screening = value.screening;
  }

  #showStates(): void {
    const { user, assistant } = this.#mind;
    if (user === this.#seenUser && assistant === this.#seenAssistant) return;
    this.#seenUser = user;
    this.#seenAssistant = assistant;
    if (this.#mind.lifecycle !== 'finished') this.#mind.emit({ type: 'state', user, assistant });
  }
}
