import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import { startTwilioEmulator } from '../../src/carriers/emulator/twilio-side.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { isLong } from '../support/effort.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const NUMBER = '+15005550190';
/** Two processes with room for two calls each. */
const PLACES = 4;

let folder: string;
let carrier: EmulatedCarrier;
let service: ServiceProcess;
let assistantId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-room-'));
  carrier = (await startTwilioEmulator('twilio', { clock: systemClock })) as EmulatedCarrier;
  service = await startTestService(folder, {
    PROCESSES: '2',
    MAX_CALLS: `${PLACES / 2}`,
    MAX_LAG_MS: '10000',
    TWILIO_BASE_URL: carrier.baseUrl,
  });
  const post = (path: string, body: object) =>
    service.json<{ _id: string }>(path, { method: 'POST', body });
  ({ _id: assistantId } = await post('/assistants/v1/assistants', { name: 'Ada' }));
  const at = `${service.url}/carriers/twilio`;
  carrier.addNumber(NUMBER, { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` });
  const { credentials } = carrier;
  const { _id } = await post('/assistants/v1/numbers/twilio', { number: NUMBER, credentials });
  await service.json(`/assistants/v1/numbers/${_id}`, { method: 'PUT', body: { assistantId } });
});

afterAll(async () => {
  await service?.stop();
  await carrier?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const live = async () => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^parley_calls_live (\d+)/m.exec(metrics)?.[1]);
};

test.skipIf(isLong)('web calls come in while any process has room, and no longer', async () => {
  const calls: ServiceCall[] = [];
  for (let i = 0; i < PLACES; i++) {
    calls.push(await dial(service, { assistantId }));
    // A call that came to a process without room had a place in both for a moment.
    await expect.poll(live).toBe(calls.length);
  }
  await expect(dial(service, { assistantId })).rejects.toThrow('429');
  for (const { caller } of calls) caller.hangup();
  await expect.poll(live).toBe(0);
});

test.runIf(isLong)(
  'phone calls come in while any process has room, and hear busy when none has',
  async () => {
    const calls: EmulatedCall[] = [];
    for (let i = 0; i < PLACES; i++) {
      const call = await carrier.call({ from: `+1500555010${i}`, to: NUMBER });
      await call.connected;
      expect(call.sockets).toBe(1);
      calls.push(call);
      // While a call moves from one process to the other, it takes a place in both.
      await expect.poll(live).toBe(calls.length);
    }
    const late = await carrier.call({ from: '+15005550109', to: NUMBER });
    late.connected.catch(() => undefined);
    expect(await late.ended).toBe('busy');
    // A released place can be taken again.
    calls.pop()?.hangup();
    await expect.poll(live).toBe(PLACES - 1);
    const next = await carrier.call({ from: '+15005550108', to: NUMBER });
    await next.connected;
    await expect.poll(live).toBe(PLACES);
    for (const call of [...calls, next]) call.hangup();
    await expect.poll(live).toBe(0);
  },
);
