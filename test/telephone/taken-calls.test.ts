import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { serviceDatabaseUrl } from '../support/postgres.ts';
import { installedServer } from '../support/postgres-server.ts';

describe.skipIf(!installedServer())('a telephone call whose process loses it to another', () => {
  let rig: PhoneRig;
  let client: pg.Client;

  beforeAll(async () => {
    const url = (await serviceDatabaseUrl()) as string;
    rig = await PhoneRig.start({ DATABASE_URL: url });
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await rig[Symbol.asyncDispose]();
  });

  const live = async () => (await rig.text('/metrics')).match(/^parley_calls_live (\d+)$/m)?.[1];

  async function connect() {
    const asterisk = rig.carrier('asterisk');
    const { number } = await rig.addNumber(asterisk, { welcomeMessage: 'Hello there.' });
    const from = rig.person();
    const call = await asterisk.call({ from, to: number });
    await call.connected;
    await expect.poll(live).toBe('1');
    const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(from)}`;
    const list = await rig.ask<{ conversations: { id: string }[] }>('GET', path);
    return { call, id: list.conversations[0]?.id as string };
  }

  test('is not hung up if that goes on with it', async () => {
    const other = uuidv7();
    await client.query(
      `insert into nodes (id, service_id, place, pid, address, lease_until)
      values ($1, $1, 'another machine', 1, '', now() + interval '1 hour')`,
      [other],
    );
    const { call, id } = await connect();
    let isOver = false;
    void call.ended.then(() => {
      isOver = true;
    });
    const take = 'update calls set node_id = $2, epoch = epoch + 1 where id = $1';
    await client.query(take, [id, other]);
    await expect.poll(live).toBe('0');
    // A command for it would have arrived before that for a later call.
    const later = await connect();
    await rig.ask('POST', `/calls/v1/conversations/${later.id}/control`, { type: 'end' });
    await later.call.ended;
    expect(isOver).toBe(false);
    call.hangup();
    await client.query('delete from nodes where id = $1', [other]);
  });

  test('is hung up if that has ended it', async () => {
    const { call, id } = await connect();
    await client.query(
      `update calls set epoch = epoch + 1, status = 'finished', end_at = now(),
        end_reason = 'service-restarted', wrap_up = 'due' where id = $1`,
      [id],
    );
    await call.ended;
  });
});
