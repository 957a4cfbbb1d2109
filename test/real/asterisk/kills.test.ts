import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BACK } from '../../support/failover.ts';
import { Lab } from './lab.ts';
import { Service, until } from './service.ts';
import { stretchesOfSound } from './sounds.ts';

let lab: Lab;
let service: Service;
beforeAll(async () => {
  lab = await Lab.start();
});
afterAll(() => lab?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await lab.forgetRecordings();
  service = await Service.start(lab);
});
afterEach(() => service?.[Symbol.asyncDispose]());

const nothingStands = (withinMs: number) =>
  until(
    'the exchange has no channel and no bridge left',
    async () => {
      const { channels, bridges } = await lab.standing();
      return channels === 0 && bridges === 0;
    },
    withinMs,
  );

async function caller(): Promise<string> {
  const before = await service.calls();
  await lab.call('stay');
  const { id } = await service.arrival(before);
  await until('they are welcomed', async () => (await service.read(id)).messages.length > 0);
  return id;
}

/** Some fifteen seconds. */
const SENTENCES = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
  'Books can be kept for four weeks, and films for seven days.',
  'The reading room is on the second floor, behind the large clock.',
];

/** A call in the midst of its welcome; `kill` ends its process, which it outlives. */
async function goesOnAfter(kill: (id: string) => Promise<void>): Promise<void> {
  const { assistantId } = service.ids;
  await service.change(assistantId, { welcomeMessage: SENTENCES.join(' ') });
  const id = await caller();
  // The telephone hears in real time, and the kill has to come while it hears a sentence.
  await delay(2000);
  await kill(id);
  await service.event(id, 'call.resumed', 40_000);
  const said = async () => {
    const { messages } = await service.read(id);
    return messages
      .map(({ text }) => text)
      .join(' ')
      .replace(`${BACK} `, '');
  };
  await until(
    'the welcome is said to its end',
    async () => /large clock/.test(await said()),
    40_000,
  );
  await service.control(id, { type: 'end' });
  expect(await service.ended(id)).toMatchObject({ endReason: 'ended-by-control' });
  await nothingStands(10_000);
  for (const sentence of SENTENCES) expect((await said()).split(sentence)).toHaveLength(2);
  // The telephone has heard all of it: what was said before the kill, and the rest after a silence.
  const heard = stretchesOfSound(await lab.recording('stay', 'heard'));
  expect(heard.length).toBeGreaterThanOrEqual(2);
  expect(heard.reduce((sum, [from, to]) => sum + to - from, 0)).toBeGreaterThan(9);
}

describe('the service is killed', () => {
  test('in the midst of a sentence: its caller hears it go on when the service is back', async () => {
    await goesOnAfter(async () => {
      await service.stop('SIGKILL');
      expect((await lab.standing()).channels).toBeGreaterThan(0);
      await service.run();
    });
  });

  test('[ci] one of its processes: the caller hears the sentence go on in another', async () => {
    await service[Symbol.asyncDispose]();
    service = await Service.start(lab, { env: { PROCESSES: '2' } });
    await goesOnAfter((id) => service.killOwner(id));
  });

  test('as soon as it says that it is ready, it takes calls again', async () => {
    await service.stop('SIGKILL');
    await service.run();
    const before = await service.calls();
    await lab.call('quick');
    const { id } = await service.arrival(before);
    expect(await service.ended(id)).toMatchObject({ endReason: 'user-hung-up' });
  });

  test('a caller who calls while it is away hears ringing, and is answered when it is back', async () => {
    const before = await service.calls();
    await service.stop('SIGTERM');
    await lab.call('stay');
    await service.run();
    const { id } = await service.arrival(before);
    await until('they are welcomed', async () => (await service.read(id)).messages.length > 0);
    await service.control(id, { type: 'end' });
    await service.ended(id);
  });
});

describe('Asterisk is killed', () => {
  test('the call ends, and the next one is taken when it is back', async () => {
    const id = await caller();
    await lab.stopSide('exchange', 'SIGKILL');
    await lab.startSide('exchange');
    const call = await service.ended(id, 40_000);
    expect(['user-hung-up', 'connection-lost']).toContain(call.endReason);
    await until('it is followed again', async () => {
      const { name } = (await lab.ari('GET', '/applications/parley').catch(() => ({}))) as {
        name?: string;
      };
      return name === 'parley';
    });
    const before = await service.calls();
    await lab.call('quick');
    const next = await service.arrival(before);
    expect(await service.ended(next.id)).toMatchObject({ endReason: 'user-hung-up' });
  });
});
