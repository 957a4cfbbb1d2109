import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Lab } from './lab.ts';
import { Service, until } from './service.ts';

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

describe('the service is killed', () => {
  test('its caller is let go when it is back, and the record says why', async () => {
    const id = await caller();
    await service.stop('SIGKILL');
    expect((await lab.standing()).channels).toBeGreaterThan(0);
    await service.run();
    await nothingStands(30_000);
    expect(await service.read(id)).toMatchObject({ endReason: 'service-restarted' });
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
