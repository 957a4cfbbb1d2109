import { expect, test } from 'vitest';
import type { PhoneCallStatus } from '../../src/contract/call.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { withNodeTag } from '../../src/lib/node-tag.ts';
import { type createCall, finishCall, moveCall, updateCall } from '../../src/store/calls.ts';
import { registerNode } from '../../src/store/nodes.ts';
import { createNumber } from '../../src/store/numbers.ts';
import {
  answerOperatorLeg,
  createOperatorLeg,
  deleteOperatorLeg,
  nameOperatorLeg,
} from '../../src/store/operator-legs.ts';
import { removeDeadNodes } from '../../src/store/orphaned-calls.ts';
import { heldCall } from '../../src/telephone/held-call.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';

const TELEPHONE = '+15005550872';
const BASE_URL = 'http://parley.test';

withDatabase('the call that a telephone has from a carrier that ended', ({ db, newTeam }) => {
  let made = 0;
  const newNode = async () => {
    const id = uuidv7();
    const node = { id, serviceId: id, place: 'here', pid: 1, address: 'none' };
    await registerNode(db(), { node, leaseMs: 600_000 });
    return id;
  };
  const newNumber = async () => {
    const teamId = await newTeam();
    const number = `+1500558100${made++}`;
    const account = { provider: 'emulator', label: '' } as const;
    const { id: numberId } = await createNumber(db(), { teamId, number, ...account });
    return { teamId, number, numberId };
  };
  const newCall = async (
    { teamId, number, numberId }: Awaited<ReturnType<typeof newNumber>>,
    call: Partial<Parameters<typeof createCall>[1]>,
  ) => {
    const { id } = await createCallWithServer(db(), {
      ...{ teamId, url: 'https://shop.example' },
      call: { callType: 'phone', assistantNumber: number, numberId, ...call },
    });
    return id;
  };
  const held = (teamId: string) => heldCall(db(), { teamId, number: TELEPHONE }, BASE_URL);

  const dialled = async (line: Awaited<ReturnType<typeof newNumber>>, status: PhoneCallStatus) =>
    newCall(line, {
      ...{ direction: 'outbound', phoneCallStatus: status, userNumber: TELEPHONE },
      ...{ carrierCallId: `CA-${status}` },
    });

  test.each(['trying', 'ringing'] as const)(
    'is one that was %s, for which it rings again, until that is over',
    async (status) => {
      const line = await newNumber();
      const { teamId } = line;
      const id = await dialled(line, status);
      const call = await held(teamId);
      expect(call).toMatchObject({
        ...{ carrierCallId: `CA-${status}`, from: line.number, to: TELEPHONE },
        ...{ direction: 'outbound-api', ringSeconds: 30 },
        statusUrl: `${BASE_URL}/carriers/emulator/status?call=${id}`,
        voiceUrl: expect.stringContaining(`${BASE_URL}/carriers/emulator/voice?call=${id}`),
      });
      await updateCall(db(), { teamId, id, change: { phoneCallStatus: 'in-progress' } });
      expect(await held(teamId)).not.toHaveProperty('ringSeconds');
      await finishCall(db(), { teamId, id, endReason: 'ended', phoneCallStatus: 'completed' });
      expect(await held(teamId)).toBeUndefined();
    },
  );

  test('is the one in which it talks, if another rang at the same time', async () => {
    const line = await newNumber();
    await dialled(line, 'in-progress');
    await dialled(line, 'trying');
    expect(await held(line.teamId)).toMatchObject({ carrierCallId: 'CA-in-progress' });
  });

  test('is one that it had dialled itself, whether or not that was answered', async () => {
    const line = await newNumber();
    await newCall(line, {
      ...{ direction: 'inbound', phoneCallStatus: 'ringing', userNumber: TELEPHONE },
      carrierCallId: 'CA-in',
    });
    const call = await held(line.teamId);
    expect(call).toMatchObject({ direction: 'inbound', from: TELEPHONE, to: line.number });
    expect(call).not.toHaveProperty('ringSeconds');
  });

  test('is one to which it is wanted as an operator, as long as the process that dialled it has the call', async () => {
    const line = await newNumber();
    const { teamId, numberId } = line;
    const nodeId = await newNode();
    const callId = await newCall(line, { nodeId });
    const id = withNodeTag('leg', nodeId);
    await createOperatorLeg(db(), { id, callId, legId: 1, numberId, toNumber: TELEPHONE });
    // Nobody knows yet what the carrier calls it.
    expect(await held(teamId)).toBeUndefined();
    await nameOperatorLeg(db(), { id, carrierCallId: 'CA-leg' });
    const rings = { carrierCallId: 'CA-leg', from: line.number, ringSeconds: 300 };
    expect(await held(teamId)).toMatchObject(rings);
    // A process that takes the call over hangs the operator up and tells the caller.
    await moveCall(db(), { teamId, id: callId, nodeId: await newNode() });
    expect(await held(teamId)).toBeUndefined();
    await moveCall(db(), { teamId, id: callId, nodeId });
    expect(await held(teamId)).toMatchObject(rings);
    await answerOperatorLeg(db(), { id });
    // One who is told of the call is not rung again.
    expect(await held(teamId)).toBeUndefined();
    await removeDeadNodes(db(), { ids: [nodeId] });
    expect(await held(teamId)).toBeUndefined();
    // Two who talk are connected again by whichever process takes the call over.
    await updateCall(db(), { teamId, id: callId, change: { status: 'ongoing' } });
    await updateCall(db(), { teamId, id: callId, change: { status: 'forwarded' } });
    const talks = await held(teamId);
    expect(talks).toMatchObject({ carrierCallId: 'CA-leg' });
    expect(talks).not.toHaveProperty('ringSeconds');
    await deleteOperatorLeg(db(), { id });
    expect(await held(teamId)).toBeUndefined();
  });
});
