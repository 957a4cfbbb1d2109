import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { ask, childrenOf, haveComeBack, isWhole, journalOf, read } from '../support/failover.ts';
import { freePort } from '../support/free-port.ts';
import { ReturningHandset } from '../support/returning-handset.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const WELCOME = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
  'Books can be kept for four weeks, and films for seven days.',
].join(' ');
const WHOLE = `${WELCOME} Still here.`;
const NUMBER = '+15005550195';
const MINUTE = { timeout: 60_000, interval: 100 };
const reason =
  process.platform === 'linux' ? '' : ': the pids of the processes are read from /proc';

let folder: string;
let service: ServiceProcess | undefined;
let numberId: string;
const handsets: ReturningHandset[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-failover-'));
});

afterEach(async () => {
  for (const handset of handsets.splice(0)) handset.switchOff();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const common = { LOG_LEVEL: 'info', MAX_LAG_MS: '10000', RESUME_SECONDS: '60' };
  service = await startTestService(folder, { ...common, ...env });
  return service;
}

/** An assistant that answers the number. */
async function answerNumber(running: ServiceProcess, more: object = {}): Promise<void> {
  const post = (path: string, body: object) =>
    running.json<{ _id: string }>(path, { method: 'POST', body });
  const { _id: assistantId } = await post('/assistants/v1/assistants', {
    name: 'Library',
    welcomeMessage: WELCOME,
    recordingEnabled: true,
    ...more,
  });
  ({ _id: numberId } = await post('/assistants/v1/numbers/emulator', { number: NUMBER }));
  const path = `/assistants/v1/numbers/${numberId}`;
  await running.json(path, { method: 'PUT', body: { assistantId } });
}

async function switchOn(running: ServiceProcess, number?: string): Promise<ReturningHandset> {
  const handset = await ReturningHandset.switchOn(running, number);
  handsets.push(handset);
  return handset;
}

const answeredCallOf = async (handset: ReturningHandset): Promise<string> => {
  await expect.poll(() => handset.ofType('answered').length, MINUTE).toBe(1);
  return handset.ofType('answered')[0]?.callId as string;
};

/** The telephone hears the assistant. */
const hears = (handset: ReturningHandset) => {
  const before = handset.loudSamples;
  return expect.poll(() => handset.loudSamples, MINUTE).toBeGreaterThan(before + 2000);
};

/** What each says is heard by the other, who says nothing meanwhile. */
async function hearEachOther(one: ReturningHandset, other: ReturningHandset): Promise<void> {
  for (const [speaker, listener] of [
    [one, other],
    [other, one],
  ] as const) {
    const before = listener.loudSamples;
    const until = performance.now() + MINUTE.timeout;
    while (listener.loudSamples - before < 3000 && performance.now() < until)
      await speaker.speak(500);
    expect(listener.loudSamples - before).toBeGreaterThanOrEqual(3000);
  }
}

/** The same call goes on at the telephone, and ends when the service ends it. */
async function goesOn(
  running: ServiceProcess,
  handset: ReturningHandset,
  id: string,
): Promise<void> {
  await expect.poll(() => handset.ofType('answered').length, MINUTE).toBe(handset.returns + 1);
  const control = (body: object) =>
    ask(() => running.json(`/calls/v1/conversations/${id}/control`, { method: 'POST', body }));
  await control({ type: 'say', message: 'Still here.' });
  await hears(handset);
  const said = async () => (await read(running, { id })).messages.map(({ text }) => text).join(' ');
  await expect.poll(said, MINUTE).toContain('Still here.');
  await control({ type: 'end' });
  await expect.poll(() => handset.ofType('ended'), MINUTE).toHaveLength(1);
  await expect.poll(async () => (await read(running, { id })).status, MINUTE).toBe('finished');
  expect(handset.ofType('answered').map(({ callId }) => callId)).toEqual(
    handset.ofType('answered').map(() => id),
  );
  expect(await read(running, { id })).toMatchObject({ endReason: 'ended-by-control' });
}

describe.skipIf(reason !== '')(`telephones in the browser whose process ends${reason}`, () => {
  test.each([
    { how: 'killed', signal: 'SIGKILL' },
    { how: 'replaced', signal: 'SIGTERM' },
  ] as const)(
    'come back, as the same telephones with the same calls, if theirs is $how',
    async ({ signal }) => {
      const running = await start({ PROCESSES: '2', DRAIN_SECONDS: '20' });
      await answerNumber(running);
      const talking = await Promise.all([0, 1, 2].map(() => switchOn(running)));
      const idle = await switchOn(running);
      const calls = await Promise.all(
        talking.map(async (handset) => {
          handset.send({ type: 'call', to: NUMBER });
          return { handset, id: await answeredCallOf(handset) };
        }),
      );
      await Promise.all(talking.map(hears));
      // The first runs the carrier.
      process.kill((await childrenOf(running.pid))[0] as number, signal);
      for (const { handset, id } of calls) {
        await expect.poll(() => handset.returns, MINUTE).toBeGreaterThan(0);
        await goesOn(running, handset, id);
        const lines = await journalOf(running, { id });
        if (lines.some(({ type }) => type === 'call.resumed'))
          await isWhole(running, { id }, { said: WHOLE, when: signal });
      }
      await haveComeBack(running, 1);
      await expect.poll(() => idle.ofType('ready').length, MINUTE).toBe(idle.returns + 1);
      // Whichever process dials, the telephone rings.
      for (let i = 0; i < 4; i++) {
        await dial(running, idle);
        await expect.poll(() => idle.ofType('ringing').length, MINUTE).toBe(i + 1);
        idle.send({ type: 'decline' });
        await expect.poll(() => idle.ofType('ended').length, MINUTE).toBe(i + 1);
      }
    },
    170_000,
  );

  test.each([
    { how: 'killed', signal: 'SIGKILL' },
    { how: 'replaced', signal: 'SIGTERM' },
  ] as const)(
    'ring again, if they rang when theirs was $how, and the one who answers has the call',
    async ({ signal }) => {
      const running = await start({ PROCESSES: '2', DRAIN_SECONDS: '20' });
      await answerNumber(running);
      const called = [];
      for (const [i, number] of ['+15005551811', '+15005551812', '+15005551813'].entries()) {
        const handset = await switchOn(running, number);
        const { id } = await dial(running, handset);
        await expect.poll(() => handset.ofType('ringing').length, MINUTE).toBe(1);
        called.push({ handset, id, declines: i === 2 });
      }
      process.kill((await childrenOf(running.pid))[0] as number, signal);
      for (const { handset, id, declines } of called) {
        await expect.poll(() => handset.ofType('ringing').length, MINUTE).toBe(2);
        expect(handset.ofType('ended')).toEqual([]);
        if (declines) {
          handset.send({ type: 'decline' });
          const record = async () => (await read(running, { id })).phoneCallStatus;
          await expect.poll(record, MINUTE).toBe('busy');
          continue;
        }
        handset.send({ type: 'answer' });
        expect(await answeredCallOf(handset)).toBe(id);
        await hears(handset);
        const path = `/calls/v1/conversations/${id}/control`;
        await ask(() => running.json(path, { method: 'POST', body: { type: 'end' } }));
        await expect.poll(() => handset.ofType('ended'), MINUTE).toHaveLength(1);
        expect(await read(running, { id })).toMatchObject({ endReason: 'ended-by-control' });
      }
    },
    170_000,
  );

  test('notice nothing if it is the one that has only their calls', async () => {
    const running = await start({ PROCESSES: '2' });
    await answerNumber(running);
    const all = await Promise.all([0, 1, 2].map(() => switchOn(running)));
    const calls = await Promise.all(
      all.map(async (handset) => {
        handset.send({ type: 'call', to: NUMBER });
        return { handset, id: await answeredCallOf(handset) };
      }),
    );
    await Promise.all(all.map(hears));
    process.kill((await childrenOf(running.pid))[1] as number, 'SIGKILL');
    for (const { handset, id } of calls) await goesOn(running, handset, id);
  }, 170_000);

  test('are connected again, if they are those of a caller and an operator who talk', async () => {
    const running = await start({ PROCESSES: '2' });
    const forwards = { callForwardData: { name: 'Anna' } };
    await answerNumber(running, { assistantPredefinedTools: { callForward: true }, ...forwards });
    const [caller, operator] = [await switchOn(running), await switchOn(running, '+15005551802')];
    caller.send({ type: 'call', to: NUMBER });
    const id = await answeredCallOf(caller);
    await hears(caller);
    const path = `/calls/v1/conversations/${id}/control`;
    const body = { type: 'forward', message: operator.number };
    await running.json(path, { method: 'POST', body });
    await expect.poll(() => operator.ofType('ringing').length, MINUTE).toBe(1);
    operator.send({ type: 'answer' });
    const status = async () => (await read(running, { id })).status;
    await expect.poll(status, MINUTE).toBe('forwarded');
    const workers = await childrenOf(running.pid);
    await hearEachOther(caller, operator);
    // The first has the telephones, and either may have the call.
    for (const [i, pid] of workers.entries()) {
      process.kill(pid, 'SIGKILL');
      await haveComeBack(running, i + 1);
      await hearEachOther(caller, operator);
    }
    expect([caller.returns, operator.returns]).toEqual([
      expect.toSatisfy((times: number) => times > 0),
      expect.toSatisfy((times: number) => times > 0),
    ]);
    operator.send({ type: 'hangup' });
    await expect.poll(() => caller.ofType('ended').length, MINUTE).toBe(1);
    await expect.poll(async () => (await read(running, { id })).endAt, MINUTE).toBeTruthy();
    expect(await status()).toBe('forwarded');
  }, 170_000);

  test.each([
    { what: 'rings', mode: {}, answers: false },
    {
      what: 'is told of the call',
      mode: { warmTransferEnabled: true, warmTransferConversational: true },
      answers: true,
    },
  ])(
    'stop, if it is that of an operator who $what, and the caller is told',
    async ({ mode, answers }) => {
      const running = await start({ PROCESSES: '2' });
      const forwards = { callForwardData: { name: 'Anna' }, ...mode };
      await answerNumber(running, { assistantPredefinedTools: { callForward: true }, ...forwards });
      const [caller, operator] = [await switchOn(running), await switchOn(running, '+15005551803')];
      const id = await forward(running, caller, operator, answers);
      const types = async () => (await journalOf(running, { id })).map(({ type }) => type);
      for (const [i, pid] of (await childrenOf(running.pid)).entries()) {
        process.kill(pid, 'SIGKILL');
        await haveComeBack(running, i + 1);
      }
      await expect.poll(types, MINUTE).toContain('leg.hangup');
      // One reply tells them why nobody came, and the assistant has the call again.
      const saidSince = async () => {
        const all = await types();
        return all.slice(all.lastIndexOf('leg.hangup')).filter((type) => type === 'tts.start');
      };
      await expect.poll(async () => (await saidSince()).length, MINUTE).toBeGreaterThan(0);
      expect((await types()).filter((type) => type === 'leg.dial')).toHaveLength(1);
      await expect.poll(() => caller.ofType('answered').length, MINUTE).toBe(caller.returns + 1);
      await hears(caller);
      expect(await read(running, { id })).toMatchObject({ status: 'ongoing' });
      // The operator's telephone is idle: it rings for the next call.
      const rung = operator.ofType('ringing').length;
      await dial(running, operator);
      await expect.poll(() => operator.ofType('ringing').length, MINUTE).toBe(rung + 1);
    },
    170_000,
  );

  test('ring again, if it is that of an operator and the call has lived in another process', async () => {
    const running = await start({ PROCESSES: '2' });
    const forwards = { callForwardData: { name: 'Anna' } };
    await answerNumber(running, { assistantPredefinedTools: { callForward: true }, ...forwards });
    const wanted = await Promise.all(
      ['+15005551821', '+15005551822', '+15005551823', '+15005551824'].map(async (number) => {
        const [caller, operator] = [await switchOn(running), await switchOn(running, number)];
        return { caller, operator, id: await forward(running, caller, operator, false) };
      }),
    );
    process.kill((await childrenOf(running.pid))[0] as number, 'SIGKILL');
    await haveComeBack(running, 1);
    const wentOn = await Promise.all(
      wanted.map(async ({ caller, operator, id }) => {
        const types = async () => (await journalOf(running, { id })).map(({ type }) => type);
        await expect.poll(() => operator.ofType('ready').length, MINUTE).toBe(2);
        await expect.poll(() => caller.ofType('answered').length, MINUTE).toBe(2);
        if ((await types()).includes('process.lost')) {
          // Its own process has died too: the caller is told, and the telephone is left alone.
          await expect.poll(types, MINUTE).toContain('leg.hangup');
          return false;
        }
        await expect.poll(() => operator.ofType('ringing').length, MINUTE).toBe(2);
        operator.send({ type: 'answer' });
        const status = async () => (await read(running, { id })).status;
        await expect.poll(status, MINUTE).toBe('forwarded');
        await hearEachOther(caller, operator);
        expect(await types()).not.toContain('leg.hangup');
        return true;
      }),
    );
    expect(wentOn).toContain(true);
  }, 170_000);

  test('come back to the one that is started anew', async () => {
    const port = { PORT: String(await freePort()) };
    let running = await start(port);
    await answerNumber(running);
    const [caller, called] = [await switchOn(running), await switchOn(running, '+15005551801')];
    caller.send({ type: 'call', to: NUMBER });
    await dial(running, called);
    await expect.poll(() => called.ofType('ringing').length, MINUTE).toBe(1);
    called.send({ type: 'answer' });
    const calls = await Promise.all([caller, called].map(answeredCallOf));
    await Promise.all([caller, called].map(hears));
    await delay(1000);
    await running.kill();
    running = await start(port);
    for (const [i, handset] of [caller, called].entries()) {
      const id = calls[i] as string;
      await goesOn(running, handset, id);
      await isWhole(running, { id }, { said: WHOLE, when: 'started anew' });
    }
  }, 170_000);
});

/** A caller is being transferred to an operator, whose telephone rings, or who has answered it and is told of the call. */
async function forward(
  running: ServiceProcess,
  caller: ReturningHandset,
  operator: ReturningHandset,
  answers: boolean,
): Promise<string> {
  caller.send({ type: 'call', to: NUMBER });
  const id = await answeredCallOf(caller);
  await hears(caller);
  await running.json(`/calls/v1/conversations/${id}/control`, {
    method: 'POST',
    body: { type: 'forward', message: operator.number },
  });
  await expect.poll(() => operator.ofType('ringing').length, MINUTE).toBe(1);
  const types = async () => (await journalOf(running, { id })).map(({ type }) => type);
  if (answers) {
    operator.send({ type: 'answer' });
    await expect.poll(types, MINUTE).toContain('leg.brief');
  }
  return id;
}

const dial = (running: ServiceProcess, { number }: ReturningHandset) =>
  ask(() =>
    running.json<Call>('/calls/v1/conversations/connect', {
      method: 'POST',
      body: { direction: 'outbound', phoneNumberId: numberId, customer: { number } },
    }),
  );
