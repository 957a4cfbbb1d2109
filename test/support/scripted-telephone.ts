import { CallStarts } from '../../src/calls/call-starts.ts';
import type { CarrierName, CarrierReply } from '../../src/ports/carrier.ts';
import type { OutboundCall } from '../../src/ports/dialer.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Session } from '../../src/session/session.ts';
import { SessionRegistry } from '../../src/session/session-registry.ts';
import type { Db } from '../../src/store/db.ts';
import type { TelephoneDeps } from '../../src/telephone/deps.ts';
import type { NumberLine } from '../../src/telephone/number-line.ts';
import { PhoneCalls } from '../../src/telephone/phone-calls.ts';
import { ManualClock } from './manual-clock.ts';
import { ScriptedCarriers } from './scripted-carriers.ts';

const REPLY: CarrierReply = { status: 204, contentType: 'text/plain', body: '' };

/** Carriers that dial, and connect sound, unless the test says how they fail. */
class DiallingCarriers extends ScriptedCarriers {
  #dialled = 0;

  override find<Name extends CarrierName>(name: Name) {
    const carrier = super.find(name);
    if (!carrier) return undefined;
    const fail = (what: string) => {
      const failure = this.failures.get(what);
      if (failure) throw failure;
    };
    return {
      ...carrier,
      open: (...credentials: Parameters<typeof carrier.open>) => ({
        ...carrier.open(...credentials),
        dial: async () => {
          fail('dial');
          return `CA${++this.#dialled}`;
        },
        connectMedia: async () => {
          fail('connectMedia');
          return REPLY;
        },
        hangup: async () => undefined,
      }),
    };
  }
}

/** The service's own telephone on virtual time, with a carrier in the hand of the test. */
export class ScriptedTelephone {
  readonly carriers = new DiallingCarriers();
  readonly clock = new ManualClock(Date.now());
  readonly calls: PhoneCalls;

  constructor(db: Db, log: Log) {
    // Only what a call without media asks of the service.
    const deps: Partial<TelephoneDeps> = {
      db,
      log,
      nodeId: 'here',
      clock: this.clock,
      carriers: this.carriers,
      callStarts: new CallStarts(() => this.clock.now()),
      registry: new SessionRegistry<Session>(10),
      bus: { nodeId: 'here', ask: async () => undefined, answer: () => undefined },
    };
    this.calls = new PhoneCalls(deps as TelephoneDeps);
  }

  dial(call: OutboundCall, signal: AbortSignal): Promise<void> {
    return this.calls.dial(call, signal);
  }

  /** A dialled call as its carrier's webhooks name it. */
  at(callId: string): { readonly line: NumberLine; readonly carrierCallId: string } {
    const call = this.calls.find(callId);
    if (call?.carrierCallId === undefined) throw new Error(`${callId} was not dialled`);
    return { line: call.line, carrierCallId: call.carrierCallId };
  }
}
