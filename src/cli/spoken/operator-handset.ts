import { setTimeout as delay } from 'node:timers/promises';
import type { AssistantTest, OperatorOutcome } from '../../contract/assistant-test.ts';
import type { TransferMode } from '../../engine/settings/settings.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { outcomesOf } from '../../testing/operators.ts';
import type { Booth } from '../../testing/spoken/booth.ts';
import {
  type OperatorPhone,
  type OperatorSounds,
  operatorSounds,
  playOperator,
} from '../../testing/spoken/play-operator.ts';
import type { PutThrough } from '../../testing/spoken/put-through.ts';
import { HANDSET_HZ, HandsetSocket } from '../handset-socket.ts';
import type { ServiceClient } from '../service-client.ts';
import { redial } from './redial.ts';

interface Options {
  readonly client: Pick<ServiceClient, 'createHandset'>;
  readonly test: Pick<AssistantTest, 'operator'>;
  /** Of this call alone, so that its operator is rung by nobody else. */
  readonly number: string;
  readonly mode: TransferMode;
  readonly putThrough: PutThrough;
  readonly booth: Pick<Booth, 'line'>;
  readonly signal: AbortSignal;
}

type Playing = Omit<Options, 'client' | 'test' | 'booth'> & {
  readonly open: () => Promise<HandsetSocket>;
  readonly next: () => OperatorOutcome;
  readonly sounds: OperatorSounds;
};

const PICKS_UP_MS = 1500;
const NOT_ANSWERED_MS = 5000;
/** How the ringing ends where nobody picks up. */
const DECLINED_AS = { busy: 'busy', 'no-answer': 'no-answer', 'line-error': 'failed' } as const;

/**
 * The operator of one spoken call, at a telephone of the built-in carrier: each time it rings they do what the test says.
 * Disposing of it takes the telephone away.
 */
export async function startOperator({
  client,
  test,
  booth,
  ...options
}: Options): Promise<AsyncDisposable> {
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const open = () =>
    redial(
      async () => {
        const { url, number } = await client.createHandset(options.number);
        return HandsetSocket.open(url, number);
      },
      { signal },
    );
  const sounds = await operatorSounds(booth, HANDSET_HZ);
  const first = await open();
  const playing = answerAll(first, {
    ...{ ...options, open, sounds, signal },
    next: outcomesOf(test),
  }).catch((error: unknown) => {
    // The end of the test ends the operator, whatever they were at.
    if (!signal.aborted) throw error;
  });
  playing.catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await playing;
    },
  };
}

/** A telephone has one call; the next one rings another at the same number. Rejects with the signal. */
async function answerAll(first: HandsetSocket, options: Playing): Promise<void> {
  const { open, signal } = options;
  let phone = first;
  const close = () => phone.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    for (;;) {
      // The end may have come while this telephone was switched on.
      signal.throwIfAborted();
      await answer(phone, options);
      signal.throwIfAborted();
      phone = await open();
    }
  } finally {
    signal.removeEventListener('abort', close);
    phone.close();
  }
}

async function answer(
  phone: HandsetSocket,
  { next, mode, putThrough, sounds, signal }: Playing,
): Promise<void> {
  await phone.next('ringing', Number.POSITIVE_INFINITY);
  putThrough.dialled();
  try {
    const outcome = next();
    if (outcome in DECLINED_AS) {
      const as = DECLINED_AS[outcome as keyof typeof DECLINED_AS];
      await delay(outcome === 'no-answer' ? NOT_ANSWERED_MS : PICKS_UP_MS, undefined, { signal });
      phone.say({ type: 'decline', as });
    } else {
      await delay(PICKS_UP_MS, undefined, { signal });
      phone.say({ type: 'answer' });
      // Whoever rings may give up at that moment.
      const isAnswered = await phone.next('answered').then(
        () => true,
        () => false,
      );
      if (isAnswered)
        await playOperator({
          ...{ clock: systemClock, phone: asCaller(phone), mode, putThrough, sounds, signal },
          outcome: outcome as Exclude<OperatorOutcome, keyof typeof DECLINED_AS>,
        });
      else phone.close();
    }
    // The signal takes the telephone away, which ends its call.
    await phone.ended;
  } finally {
    putThrough.ended();
  }
}

const asCaller = (phone: HandsetSocket): OperatorPhone => ({
  get elapsedMs() {
    return phone.handset.elapsedMs;
  },
  sampleRateHz: HANDSET_HZ,
  tracks: phone.handset.tracks,
  ended: phone.ended.then((reason) => ({ reason })),
  say: (pcm) => phone.handset.say(pcm),
  hangup: () => phone.hangup(),
});
