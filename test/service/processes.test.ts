import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAsteriskEmulator } from '../../src/carriers/emulator/asterisk-side.ts';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import { startTelnyxEmulator } from '../../src/carriers/emulator/telnyx-side.ts';
import { startTwilioEmulator } from '../../src/carriers/emulator/twilio-side.ts';
import type { Call } from '../../src/contract/call.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { isLong, rowsOf } from '../support/effort.ts';
import { ears, speaks } from '../support/phone-talk.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const NUMBERS = {
  twilio: '+15005550190',
  telnyx: '+15005550191',
  asterisk: '+15005550192',
} as const;
const CALLS = isLong ? 6 : 4;
const reason =
  process.platform === 'linux' ? '' : ': the pids of the processes are read from /proc';

describe.skipIf(reason !== '')(`a service of two processes on one port${reason}`, () => {
  let folder: string;
  let carriers: readonly EmulatedCarrier[];
  let service: ServiceProcess;
  let assistantId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-processes-'));
    const clock = systemClock;
    carriers = (await Promise.all([
      startTwilioEmulator('twilio', { clock }),
      startTelnyxEmulator({ clock }),
      startAsteriskEmulator({ clock }),
    ])) as unknown as readonly EmulatedCarrier[];
    const [twilio, telnyx] = carriers;
    service = await startTestService(folder, {
      PROCESSES: '2',
      TWILIO_BASE_URL: twilio?.baseUrl ?? '',
      TELNYX_BASE_URL: telnyx?.baseUrl ?? '',
      // Allows the address of the emulated Asterisk.
      ALLOW_PRIVATE_TARGETS: 'true',
      LOG_LEVEL: 'warn',
      // Other tests may keep the machine busy.
      MAX_LAG_MS: '10000',
      RESUME_SECONDS: '1',
    });
    const post = (path: string, body: object) =>
      service.json<{ _id: string }>(path, { method: 'POST', body });
    ({ _id: assistantId } = await post('/assistants/v1/assistants', {
      name: 'Ada',
      welcomeMessage: 'Hello there.',
      assistantPredefinedTools: { callForward: true },
      // Keeps the legs in this process.
      recordingEnabled: true,
      recordAfterTransfer: true,
    }));
    for (const carrier of carriers) {
      const { name, credentials } = carrier;
      const number = numberAt(carrier);
      const at = `${service.url}/carriers/${name}`;
      carrier.addNumber(number, { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` });
      const { _id } = await post(`/assistants/v1/numbers/${name}`, { number, credentials });
      await service.json(`/assistants/v1/numbers/${_id}`, { method: 'PUT', body: { assistantId } });
    }
  });

  afterAll(async () => {
    await service?.stop();
    for (const carrier of carriers) await carrier[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the service has logged, except that its built-in voice got no processor time on a busy machine. */
  const logged = () =>
    service.output.split('\n').filter((line) => line && !line.includes('"provider":"offline"'));

  const carrierOf = (name: string) =>
    carriers.find((carrier) => carrier.name === name) as EmulatedCarrier;

  const read = (id: string) => service.json<Call>(`/calls/v1/conversations/${id}`);
  const control = (id: string, type: string, message = '') =>
    service.json(`/calls/v1/conversations/${id}/control`, {
      method: 'POST',
      body: { type, message },
    });

  async function idOf(userNumber: string): Promise<string> {
    const query = `userNumber=${encodeURIComponent(userNumber)}`;
    const { conversations } = await service.json<{ conversations: Call[] }>(
      `/calls/v1/conversations?${query}`,
    );
    return (conversations[0] as Call).id;
  }

  const heardMs = (call: EmulatedCall): number => {
    const loud = call.handset.tracks.speaker.read().filter((sample) => Math.abs(sample) > 500);
    return loud.length / 8;
  };
  const hears = async (call: EmulatedCall, act: () => Promise<unknown>) => {
    const before = heardMs(call);
    await act();
    await expect.poll(() => heardMs(call)).toBeGreaterThan(before + 100);
  };

  test.each(rowsOf({ usual: ['twilio'], long: ['telnyx', 'asterisk'] }))(
    'calls by %s whose webhooks, sockets, statuses and control come to any of them go on as one',
    async (name) => {
      const carrier = carrierOf(name);
      const calls = await Promise.all(
        Array.from({ length: CALLS }, (_, i) =>
          carrier.call({
            from: `+150055501${Object.keys(NUMBERS).indexOf(name)}${i}`,
            to: numberAt(carrier),
          }),
        ),
      );
      await Promise.all(
        calls.map(async (call) => {
          await call.connected;
          await hears(call, async () => undefined);
          expect(call.sockets).toBe(1);
          const id = await idOf(call.from);
          await hears(call, () => control(id, 'say', 'Said by control.'));
          // The carrier repeats its request to any process, and the next socket has to find the process with the call.
          call.handset.drop();
          await expect
            .poll(async () => {
              const { endReason = null } = await read(id);
              return { sockets: call.sockets, endReason, logged: logged() };
            })
            .toEqual({ sockets: 2, endReason: null, logged: [] });
          await hears(call, () => control(id, 'say', 'Said after the loss.'));
          // No socket was rejected and requested again.
          expect(call.sockets).toBe(2);
          call.hangup();
          await call.ended;
          await expect
            .poll(() => read(id))
            .toMatchObject({
              status: 'finished',
              phoneCallStatus: 'completed',
              endReason: 'user-hung-up',
            });
        }),
      );
      expect(logged()).toEqual([]);
    },
  );

  test.runIf(isLong).each(['asterisk', 'twilio', 'telnyx'])(
    'operators telephoned by %s, whose legs report to any of them, and their callers hear each other',
    async (name) => {
      const carrier = carrierOf(name);
      const at = Object.keys(NUMBERS).indexOf(name);
      const operators = new Map<string, EmulatedCall>();
      carrier.onAnswered = (call) => operators.set(call.to, call);
      await Promise.all(
        [0, 1, 2, 3].map(async (i) => {
          const call = await carrier.call({ from: `+150055502${at}${i}`, to: numberAt(carrier) });
          await call.connected;
          await hears(call, async () => undefined);
          const id = await idOf(call.from);
          const to = `+150055503${at}${i}`;
          await control(id, 'forward', to);
          await expect.poll(() => operators.has(to)).toBe(true);
          const operator = operators.get(to) as EmulatedCall;
          await operator.connected;
          await expect.poll(async () => (await read(id)).status).toBe('forwarded');
          await speaks(operator.handset, 700, ears(call));
          await speaks(call.handset, 500, ears(operator));
          operator.hangup();
          await call.ended;
          await expect
            .poll(() => read(id))
            .toMatchObject({ status: 'forwarded', endReason: 'transferred' });
        }),
      );
      expect(logged()).toEqual([]);
    },
  );

  test.runIf(isLong)(
    'one that is killed is started anew; the calls of the other go on, its own are ended',
    async () => {
      const calls: ServiceCall[] = [];
      for (let i = 0; i < CALLS; i++) calls.push(await dial(service, { assistantId }));
      await expect.poll(() => calls.every(({ said }) => said.length > 0)).toBe(true);
      const live = async () => Number(/^parley_calls_live (\d+)/m.exec(await metrics())?.[1]);
      const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
      expect(await live()).toBe(CALLS);

      const victim = (await childrenOf(service.pid)).at(-1) as number;
      process.kill(victim, 'SIGKILL');
      const states = () => Promise.all(calls.map(async ({ id }) => (await read(id)).status));
      await expect.poll(states).toContain('finished');
      const after = await states();
      expect(after).toContain('ongoing');
      for (const [i, { id, said }] of calls.entries()) {
        if (after[i] === 'finished') expect((await read(id)).endReason).toBe('service-restarted');
        else {
          await control(id, 'say', 'Still here.');
          await expect.poll(() => said.join()).toContain('Still here.');
        }
      }
      const children = async () => (await childrenOf(service.pid)).filter((pid) => pid !== victim);
      await expect.poll(children).toHaveLength(2);
      const next = await dial(service, { assistantId });
      await expect.poll(() => next.said).toHaveLength(1);
      for (const { caller } of [...calls, next]) caller.close();
    },
  );
});

function numberAt({ name }: EmulatedCarrier): string {
  return NUMBERS[name as keyof typeof NUMBERS];
}

/** Ids of the worker processes of this one. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const pids = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  const commands = await Promise.all(
    pids.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => commands[i]?.includes('start.mjs')).map(Number);
}
