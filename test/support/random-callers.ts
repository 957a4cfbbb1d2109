import { setTimeout as delay } from 'node:timers/promises';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import type { Random } from '../bench/turns/random.ts';
import { ask } from './failover.ts';
import { idOf, numberOf } from './library-line.ts';
import { readRecording } from './recordings.ts';
import { comeBack } from './returning-call.ts';
import { dial } from './service-call.ts';
import type { ServiceProcess } from './service-process.ts';

/** What a caller does soon after the call has begun. */
const DOINGS = ['listens', 'speaks', 'presses', 'books', 'listens', 'asks-for-operator'] as const;
type Doing = (typeof DOINGS)[number];

/** The calls of a round begin within this time, so that one instant finds each at another place. */
const BEGIN_MS = 9000;
const ACT_MS = 5000;
const KEYS = '12345678';
/** Shorter than what ends a number: the caller is found while they press. */
const KEY_MS = 900;

/** How much later the last of what a caller says may be heard. */
const SPOKEN_MS = 500;

/** How a call goes, drawn before anything waits: a seed draws the same round again. */
export interface Place {
  readonly beginMs: number;
  readonly actMs: number;
  readonly doing: Doing;
}

export const drawPlace = (chance: Random, i: number): Place => ({
  beginMs: chance.next() * BEGIN_MS,
  actMs: chance.next() * ACT_MS,
  doing: DOINGS[i % DOINGS.length] as Doing,
});

/** A call, seen from its caller. */
export interface HeldByCaller {
  readonly kind: string;
  readonly id: string;
  /** True if the caller does nothing, so that what they hear is known beforehand. */
  readonly listens: boolean;
  /** Resolves when the caller has done what they do. Before that they may interrupt what is said. */
  readonly acted: Promise<void>;
  /** Resolves when the service has ended the call. */
  readonly ended: () => Promise<unknown>;
  readonly close: () => void;
}

/** What the caller of one kind of line can do. */
interface Hands {
  readonly say: (pcm: Int16Array) => void;
  readonly press: (key: string) => void;
  readonly sampleRateHz: number;
}

/** The telephone of an operator, for all callers who ask for one. */
const OPERATOR = '+15005553000';

async function act(
  running: ServiceProcess,
  id: string,
  { actMs, doing }: Place,
  { say, press, sampleRateHz }: Hands,
): Promise<void> {
  await delay(actMs, undefined, { ref: false });
  switch (doing) {
    case 'listens':
      return;
    case 'speaks': {
      const pcm = readRecording('ask-what-you-can-do.wav', sampleRateHz);
      say(pcm);
      await delay((pcm.length * 1000) / sampleRateHz + SPOKEN_MS, undefined, { ref: false });
      return;
    }
    case 'presses':
      for (const key of KEYS) {
        press(key);
        await delay(KEY_MS, undefined, { ref: false });
      }
      return;
    case 'books':
      press('4');
      press('#');
      return;
    case 'asks-for-operator':
      await ask(() =>
        running.json(`/calls/v1/conversations/${id}/control`, {
          method: 'POST',
          body: { type: 'forward', message: OPERATOR },
        }),
      );
  }
}

export async function callByWeb(
  running: ServiceProcess,
  assistantId: string,
  place: Place,
): Promise<HeldByCaller> {
  await delay(place.beginMs);
  const call = await ask(() => dial(running, { assistantId }));
  const { caller, id } = call;
  // A client notices by its socket, which may be relayed by the process that lives, and comes back at once.
  const over = Promise.withResolvers<unknown>();
  over.promise.catch(() => undefined);
  const follow = (): void =>
    void caller.ended.then((end) => {
      if (end.reason !== undefined) over.resolve(end.reason);
      else comeBack(call).then(follow, over.reject);
    });
  follow();
  const listens = place.doing === 'listens';
  const hands = {
    say: (pcm: Int16Array) => void caller.say(pcm),
    press: (key: string) => caller.dtmf(key),
    sampleRateHz: 16_000,
  };
  // What it does may find the call on its way to another process, or over.
  const acted = act(running, id, place, hands).catch(() => undefined);
  const ended = () => over.promise;
  return { kind: 'web', id, listens, acted, ended, close: () => caller.close() };
}

export async function callByPhone(
  running: ServiceProcess,
  carrier: EmulatedCarrier,
  from: string,
  place: Place,
): Promise<HeldByCaller> {
  await delay(place.beginMs);
  const call = await carrier.call({ from, to: numberOf(carrier) });
  await call.connected;
  const id = await idOf(running, call);
  const listens = place.doing === 'listens';
  const hands = {
    say: (pcm: Int16Array) => void call.handset.say(pcm),
    press: (key: string) => call.handset.press(key),
    sampleRateHz: 8000,
  };
  const acted = act(running, id, place, hands).catch(() => undefined);
  const ended = () => call.ended;
  return { kind: carrier.name, id, listens, acted, ended, close: () => call.hangup() };
}
