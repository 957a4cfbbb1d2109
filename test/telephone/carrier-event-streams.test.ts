import { expect, test } from 'vitest';
import { MAX_EVENT_ACCOUNTS } from '../../src/contract/number.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type {
  CarrierAccount,
  CarrierEvent,
  CarrierEventListener,
} from '../../src/ports/carrier.ts';
import type { Carriers } from '../../src/ports/carriers.ts';
import { createNumber, deleteNumber } from '../../src/store/numbers.ts';
import { CarrierEventStreams } from '../../src/telephone/carrier-event-streams.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

withDatabase('event streams', ({ db, newTeam }) => {
  test('of the accounts of one team, the oldest are followed up to the limit; another team lacks none', async () => {
    const followed: string[] = [];
    const warned: unknown[] = [];
    const open = ({ ariUrl }: { readonly ariUrl: string }) =>
      ({
        carrier: 'asterisk',
        eventSource: ariUrl,
        openEvents() {
          followed.push(ariUrl);
          return { close: async () => undefined, standing: async () => [] };
        },
      }) as unknown as CarrierAccount;
    const carriers = {
      find: () => ({ name: 'asterisk', open }),
      ownCredentials: () => undefined,
    } as unknown as Carriers;
    const [greedy, modest] = [await newTeam(), await newTeam()];
    let count = 0;
    const add = async (teamId: string, ariUrl: string) => {
      const number = `+1500557${String(count++).padStart(4, '0')}`;
      const credentials = { ariUrl, user: 'u', password: 'p' };
      await createNumber(db(), { teamId, number, provider: 'asterisk', label: '', credentials });
    };
    const urls = Array.from({ length: MAX_EVENT_ACCOUNTS + 2 }, (_, i) => `http://greedy${i}`);
    for (const url of urls) await add(greedy, url);
    await add(greedy, 'http://greedy0');
    await add(modest, 'http://modest');
    const streams = new CarrierEventStreams({
      ...{ db: db(), carriers, clock: systemClock, mayFollow: () => true },
      log: { ...silent, warn: (fields) => void warned.push(fields) },
      handle: async () => undefined,
      compare: async () => undefined,
    });
    await streams.look();
    await streams.close();
    expect(followed).toEqual([...urls.slice(0, MAX_EVENT_ACCOUNTS), 'http://modest']);
    expect(warned).toContainEqual(expect.objectContaining({ teamId: greedy }));
  });

  test('callers whom the server does not let us refuse are handled some a turn, never all in one', async () => {
    const CALLERS = 1000;
    let inTurn = 0;
    let worst = 0;
    let refused = 0;
    const listening = Promise.withResolvers<CarrierEventListener>();
    const open = () =>
      ({
        carrier: 'asterisk',
        eventSource: 'flood',
        async refuse() {
          refused++;
          worst = Math.max(worst, ++inTurn);
          throw new Error('busy');
        },
        openEvents(listener: CarrierEventListener) {
          listening.resolve(listener);
          return { close: async () => undefined, standing: async () => [] };
        },
      }) as unknown as CarrierAccount;
    const credentials = { ariUrl: 'http://flood', user: 'u', password: 'p' };
    const number = '+15005579999';
    const teamId = await newTeam();
    await createNumber(db(), { teamId, number, provider: 'asterisk', label: '', credentials });
    const streams = new CarrierEventStreams({
      ...{ db: db(), clock: systemClock, mayFollow: () => true, log: silent },
      carriers: {
        find: () => ({ name: 'asterisk', open }),
        ownCredentials: () => undefined,
      } as unknown as Carriers,
      handle: async () => undefined,
      compare: async () => undefined,
    });
    await streams.look();
    const { event } = await listening.promise;
    let isOver = false;
    const turn = () => {
      inTurn = 0;
      if (!isOver) setImmediate(turn);
    };
    turn();
    for (let i = 0; i < CALLERS; i++)
      event({
        ...{ type: 'call-arrived', eventId: `${i}`, carrierCallId: `${i}` },
        ...{ from: '+1', to: '+19990000000' },
      } as CarrierEvent);
    await eventually(() => expect(refused).toBe(CALLERS), { everyMs: 10 });
    isOver = true;
    await streams.close();
    expect(worst).toBeLessThanOrEqual(64);
  });

  test('of the callers of one team, those above its rate wait at its servers; another team’s do not', async () => {
    const listeners = new Map<string, CarrierEventListener>();
    const open = ({ ariUrl }: { readonly ariUrl: string }) =>
      ({
        carrier: 'asterisk',
        eventSource: ariUrl,
        openEvents(listener: CarrierEventListener) {
          listeners.set(ariUrl, listener);
          return { close: async () => undefined, standing: async () => [] };
        },
      }) as unknown as CarrierAccount;
    const [rushed, calm] = [await newTeam(), await newTeam()];
    const accounts = [
      [rushed, 'http://rush0'],
      [rushed, 'http://rush1'],
      [calm, 'http://calm'],
    ] as const;
    for (const [n, [teamId, ariUrl]] of accounts.entries()) {
      const credentials = { ariUrl, user: 'u', password: 'p' };
      const number = `+1500557880${n}`;
      await createNumber(db(), { teamId, number, provider: 'asterisk', label: '', credentials });
    }
    const clock = new ManualClock();
    const streams = new CarrierEventStreams({
      ...{ db: db(), clock, mayFollow: () => true, log: silent },
      carriers: {
        find: () => ({ name: 'asterisk', open }),
        ownCredentials: () => undefined,
      } as unknown as Carriers,
      handle: async () => undefined,
      compare: async () => undefined,
    });
    await streams.look();
    const taken = (url: string, callers: number) =>
      Array.from({ length: callers }, () => listeners.get(url)?.mayArrive()).filter(Boolean).length;
    expect(taken('http://rush0', 30)).toBe(30);
    // A second server is no way around the limit.
    expect(taken('http://rush1', 30)).toBe(10);
    expect(taken('http://calm', 30)).toBe(30);
    await clock.advance(500);
    expect(taken('http://rush1', 30)).toBe(10);
    await streams.close();
  });

  test.each([
    ['handled where another process follows from then on', false, 40],
    ['dropped with the last number of its account', true, 16],
  ])('what waits to be handled is %s', async (_, mayStillFollow, handledInAll) => {
    const { promise: listening, resolve: listen } = Promise.withResolvers<CarrierEventListener>();
    const open = ({ ariUrl }: { readonly ariUrl: string }) =>
      ({
        carrier: 'asterisk',
        eventSource: ariUrl,
        openEvents(listener: CarrierEventListener) {
          if (ariUrl === credentials.ariUrl) listen(listener);
          return { close: async () => undefined, standing: async () => [] };
        },
      }) as unknown as CarrierAccount;
    const credentials = { ariUrl: `http://waiting${handledInAll}`, user: 'u', password: 'p' };
    const teamId = await newTeam();
    const { id } = await createNumber(db(), {
      ...{ teamId, number: `+15005571${handledInAll}00`, provider: 'asterisk', label: '' },
      credentials,
    });
    let mayFollow = true;
    let isHeld = true;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const handled: string[] = [];
    const streams = new CarrierEventStreams({
      ...{ db: db(), clock: systemClock, mayFollow: () => mayFollow, log: silent },
      carriers: {
        find: () => ({ name: 'asterisk', open }),
        ownCredentials: () => undefined,
      } as unknown as Carriers,
      async handle({ eventId }) {
        if (isHeld) await released;
        handled.push(eventId);
      },
      compare: async () => undefined,
    });
    await streams.look();
    const { event } = await listening;
    for (let i = 0; i < 40; i++)
      event({ type: 'dtmf', eventId: `${i}`, carrierCallId: `${i}`, digit: '1' });
    // The first sixteen are being handled, the others wait.
    mayFollow = mayStillFollow;
    if (mayStillFollow) await deleteNumber(db(), { teamId, id });
    await streams.look();
    isHeld = false;
    release();
    await eventually(() => expect(handled).toHaveLength(handledInAll), { everyMs: 10 });
    await streams.close();
  });
});
