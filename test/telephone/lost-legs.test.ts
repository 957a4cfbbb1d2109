import { expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { CarrierAccount } from '../../src/ports/carrier.ts';
import type { Carriers } from '../../src/ports/carriers.ts';
import { finishCall } from '../../src/store/calls.ts';
import { registerNode } from '../../src/store/nodes.ts';
import { createNumber } from '../../src/store/numbers.ts';
import {
  createOperatorLeg,
  findOperatorLeg,
  nameOperatorLeg,
} from '../../src/store/operator-legs.ts';
import { LostLegs } from '../../src/telephone/lost-legs.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

withDatabase("operators' legs that a process left", ({ db, newTeam }) => {
  const hungUp: string[] = [];
  let isRefused = false;
  const account = {
    async hangup(carrierCallId: string) {
      if (isRefused) throw new Error('refused');
      hungUp.push(carrierCallId);
    },
  } as unknown as CarrierAccount;
  const carriers = {
    find: () => ({ name: 'twilio', open: () => account }),
    ownCredentials: () => undefined,
  } as unknown as Carriers;
  const lostLegs = () =>
    new LostLegs({
      ...{ db: db(), carriers, clock: systemClock, log: silent, nodeId: 'here' },
      mediaWanted: async () => undefined,
      route: async () => undefined,
    });
  let made = 0;
  const left = async (params: { readonly nodeId: string; readonly hasEnded: boolean }) => {
    const teamId = await newTeam();
    const id = `leg-${++made}`;
    const credentials = { accountSid: 'AC1', authToken: 'secret' };
    const { id: numberId } = await createNumber(db(), {
      ...{ teamId, number: `+1500558000${made}`, provider: 'twilio', label: '', credentials },
    });
    const call = { nodeId: params.nodeId };
    const { id: callId } = await createCallWithServer(db(), {
      teamId,
      url: 'https://a.example',
      call,
    });
    await createOperatorLeg(db(), { id, callId, legId: 1, numberId, toNumber: '+15005550900' });
    await nameOperatorLeg(db(), { id, carrierCallId: `at the carrier ${id}` });
    if (params.hasEnded) await finishCall(db(), { teamId, id: callId, endReason: 'ended' });
    return id;
  };
  const remains = async (id: string) => (await findOperatorLeg(db(), { id })) !== undefined;

  test('are hung up if the call had ended, and no others', async () => {
    const node = { serviceId: 's', place: 'here', pid: 1, address: 'none', secret: 'none' };
    await registerNode(db(), { node: { id: 'living', ...node }, leaseMs: 60_000 });
    const [dead, saysGoodbye, taken] = [
      await left({ nodeId: 'dead', hasEnded: true }),
      await left({ nodeId: 'living', hasEnded: true }),
      await left({ nodeId: 'dead', hasEnded: false }),
    ];
    isRefused = true;
    await lostLegs().releaseEnded();
    expect(await remains(dead)).toBe(true);
    isRefused = false;
    await lostLegs().releaseEnded();
    await lostLegs().releaseEnded();
    expect(hungUp).toEqual([`at the carrier ${dead}`]);
    expect(await Promise.all([dead, saysGoodbye, taken].map(remains))).toEqual([false, true, true]);
  });
});
