import { beforeEach, expect, test } from 'vitest';
import { WaitListConfigSchema } from '../../src/contract/wait-list.ts';
import { takeNext } from '../../src/store/wait-list-entries.ts';
import { createWaitList } from '../../src/store/wait-lists.ts';
import { createToolRunner } from '../../src/tools/hosted-tool.ts';
import { createWaitListTools } from '../../src/tools/wait-list/wait-list-tools.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

withDatabase('the wait list tools', ({ db, newTeam }) => {
  let teamId: string;
  let waitListId: string;
  beforeEach(async () => {
    teamId = await newTeam();
    const config = WaitListConfigSchema.parse({ name: 'Tables', maxEntries: 20 });
    waitListId = (await createWaitList(db(), { teamId, config })).id;
  });

  const caller = (callerNumber: string | null, callId = `WC-${callerNumber}-${teamId}`) => {
    const runner = createToolRunner(
      createWaitListTools({
        db: db(),
        clock: new ManualClock(),
        log,
        teamId,
        assistantId: null,
        callerNumber,
        language: 'en-US',
      }),
    );
    let n = 0;
    return async (name: string, args: Record<string, unknown> = {}, toolCallId = `t${++n}`) => {
      const { signal } = new AbortController();
      expect(await runner.check?.(name, args, signal)).toBeUndefined();
      const outcome = await runner.invoke({
        callId,
        toolCallId,
        name,
        arguments: args,
        signal,
      });
      return outcome.ok ? JSON.parse(outcome.result) : { error: outcome.error };
    };
  };

  test('callers get on, ask for their position, move up and leave', async () => {
    expect(await caller('+1')('waitListAdd', { name: 'Ada' })).toEqual({
      status: 'waiting',
      position: 1,
    });
    expect(await caller('+2')('waitListAdd', { name: 'Eve' })).toEqual({
      status: 'waiting',
      position: 2,
    });
    expect(await caller('+2')('waitListPosition')).toEqual({ name: 'Eve', position: 2 });
    expect(await caller('+1')('waitListLeave')).toEqual({ status: 'left' });
    expect(await caller('+2')('waitListPosition')).toEqual({ name: 'Eve', position: 1 });
    expect(await caller('+1')('waitListPosition')).toEqual({
      error: 'nobody waits under that number',
    });
  });

  test('who asks again keeps the place they have, by tool call and by name', async () => {
    const ask = caller('+1');
    await ask('waitListAdd', { name: 'Ada' }, 'same');
    await caller('+2')('waitListAdd', { name: 'Eve' });
    expect(await ask('waitListAdd', { name: 'Ada' }, 'same')).toMatchObject({ position: 1 });
    expect(await ask('waitListAdd', { name: 'ada' })).toMatchObject({ position: 1 });
  });

  test('of many at once nobody gets in twice, and nobody beyond the bound', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        caller(`+${i % 25}`, `WC-${i}`)('waitListAdd', { name: `N${i % 25}` }),
      ),
    );
    const positions = new Set(outcomes.flatMap(({ position }) => position ?? []));
    expect(Math.max(...positions)).toBeLessThanOrEqual(20);
    expect(outcomes.some(({ error }) => error === 'the waiting list is full')).toBe(true);
  });

  test('of many who take the next at once each gets another, in order', async () => {
    for (let i = 0; i < 8; i++) await caller(`+${i}`)('waitListAdd', { name: `N${i}` });
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => takeNext(db(), { waitListId })),
    );
    expect(taken.map((entry) => entry?.name).sort()).toEqual(
      Array.from({ length: 8 }, (_, i) => `N${i}`),
    );
    expect(await takeNext(db(), { waitListId })).toBeUndefined();
  });

  test('without a number the model has to ask for one', async () => {
    expect(await caller(null)('waitListPosition')).toEqual({
      error: expect.stringContaining('ask for it'),
    });
    expect(await caller(null)('waitListAdd', { name: 'Ada', phone: '+1 415 555' })).toMatchObject({
      position: 1,
    });
    expect(await caller('+1415555')('waitListPosition')).toMatchObject({ name: 'Ada' });
  });
});
