import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { type PhoneRefusal, Switchboard } from '../../src/carriers/emulator/switchboard.ts';
import { startTwilioEmulator } from '../../src/carriers/emulator/twilio-side.ts';
import { hangupMarkup } from '../../src/carriers/twilio/markup.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { ManualClock } from '../support/manual-clock.ts';

const NUMBER = '+15005550171';
const TELEPHONE = '+15005550871';
const RING_SECONDS = 30;

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

/** A telephone that has come back to a new carrier, and the service to which that belongs. */
async function setUp() {
  const clock = new ManualClock(1_000_000);
  const requests: { readonly kind: string; readonly form: URLSearchParams }[] = [];
  const service: LocalServer = await startLocalServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ kind: String(request.url), form: new URLSearchParams(body) });
      response.writeHead(200, { 'content-type': hangupMarkup.contentType });
      response.end(request.url === '/voice' ? hangupMarkup.body : '');
    });
  });
  const carrier = await startTwilioEmulator('emulator', { clock });
  open.push(service, carrier);
  const switchboard = new Switchboard({ ownerOf: async () => 'team' });
  switchboard.serve(carrier);
  const heard: string[] = [];
  const phone = switchboard.plug(
    { teamId: 'team', number: TELEPHONE },
    {
      ringing: (from) => heard.push(`ringing ${from}`),
      answered: () => heard.push('answered'),
      ended: (reason) => heard.push(`ended ${reason}`),
      audio: () => undefined,
      text: () => undefined,
      replaced: () => undefined,
    },
  );
  const statuses = () =>
    requests.filter(({ kind }) => kind === '/status').map(({ form }) => form.get('CallStatus'));
  return {
    clock,
    phone,
    heard,
    requests,
    statuses,
    goOn: () =>
      phone.goOn({
        carrierCallId: 'CA1',
        from: NUMBER,
        to: TELEPHONE,
        direction: 'outbound-api',
        voiceUrl: `${service.url}/voice`,
        statusUrl: `${service.url}/status`,
        ringSeconds: RING_SECONDS,
      }),
  };
}

test('a telephone that rang at a carrier that ended rings again, as the same call, and is answered', async () => {
  const { clock, phone, heard, requests, statuses, goOn } = await setUp();
  goOn();
  expect(heard).toEqual([`ringing ${NUMBER}`]);
  await expect.poll(statuses).toEqual(['ringing']);
  // It has a call.
  expect(await phone.call(NUMBER)).toBe('busy' satisfies PhoneRefusal);
  phone.answer();
  await expect.poll(statuses).toEqual(['ringing', 'in-progress', 'completed']);
  // The telephone is told after the service has answered all reports of its call.
  await expect.poll(() => heard).toEqual([`ringing ${NUMBER}`, 'ended completed']);
  expect(requests.map(({ form }) => form.get('CallSid'))).toEqual(requests.map(() => 'CA1'));
  expect(requests.filter(({ kind }) => kind === '/voice')).toHaveLength(1);
  // Above what the carrier that ended may have reported.
  const numbered = requests.flatMap(({ form }) => form.get('SequenceNumber') ?? []);
  for (const number of numbered) expect(Number(number)).toBeGreaterThanOrEqual(clock.now());
});

test('it may decline, and nobody is waited for beyond the time', async () => {
  const declined = await setUp();
  declined.goOn();
  declined.phone.decline();
  await expect.poll(declined.statuses).toEqual(['ringing', 'busy']);
  await expect.poll(() => declined.heard).toEqual([`ringing ${NUMBER}`, 'ended busy']);
  const missed = await setUp();
  missed.goOn();
  await missed.clock.advance(RING_SECONDS * 1000);
  await expect.poll(missed.statuses).toEqual(['ringing', 'no-answer']);
  expect(missed.requests.map(({ kind }) => kind)).not.toContain('/voice');
});
