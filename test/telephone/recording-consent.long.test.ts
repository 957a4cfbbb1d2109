import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Call, ConnectedCall } from '../../src/contract/call.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { startDeepgramListenEmulator } from '../support/deepgram-listen-emulator.ts';
import { eventually } from '../support/eventually.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { PhraseEars } from '../support/phrase-ears.ts';
import { spoken } from '../support/spoken.ts';
import type { VendorSocketEmulator } from '../support/vendor-socket-emulator.ts';

const PATH = '/calls/v1/conversations';
const REFUSAL = 'please do not record this';
const SECRET = 'my secret is marzipan';
const FRAME = 160;

let rig: PhoneRig;
let deepgram: VendorSocketEmulator;
let words: readonly [Int16Array, Int16Array];
/** What the next callers are understood to say: calls of this file are one after the other. */
const phrases: string[] = [];

beforeAll(async () => {
  words = (await spoken(REFUSAL, SECRET)) as unknown as typeof words;
  deepgram = await startDeepgramListenEmulator({
    clock: systemClock,
    ears: (_, sampleRateHz) => new PhraseEars(phrases, sampleRateHz),
  });
  rig = await PhoneRig.start({ DEEPGRAM_API_KEY: 'd', DEEPGRAM_BASE_URL: deepgram.baseUrl });
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await deepgram?.[Symbol.asyncDispose]();
});

const announcing = (onRefusal: 'delete' | 'cut') => ({
  name: 'Announcing',
  welcomeMessage: 'Hello.',
  recordingConsent: { announce: 'always', text: 'We record this.', onRefusal },
  config: { speech: { stt: { vendor: 'deepgram' }, ttsData: [{ vendor: 'offline' }] } },
});

interface Line {
  readonly say: (pcm: Int16Array) => Promise<unknown>;
  readonly hangUp: () => Promise<unknown>;
}

/** Refuses by voice once the announcement was heard, then goes on talking; returns the call's record. */
async function refuse(id: string, { say, hangUp }: Line): Promise<Call> {
  const read = () => rig.ask<Call>('GET', `${PATH}/${id}`);
  phrases.splice(0, phrases.length, REFUSAL, SECRET);
  await eventually(async () => expect((await read()).consent?.state).toBe('announced'));
  await say(words[0]);
  await eventually(async () => expect((await read()).consent?.state).toBe('refused'));
  await say(words[1]);
  await eventually(async () =>
    expect((await read()).messages.map(({ text }) => text).join()).toContain('marzipan'),
  );
  await hangUp();
  await eventually(async () => expect((await read()).usage.length).toBeGreaterThan(0));
  return read();
}

async function expectRefused(call: Call, onRefusal: 'delete' | 'cut'): Promise<void> {
  expect(call.consent?.state).toBe('refused');
  const events = await rig.text(`${PATH}/${call.id}/events`);
  expect(events).toContain('"recording.consent"');
  if (onRefusal === 'delete') {
    expect(call.recording).toBeUndefined();
    expect((await rig.json('GET', `${PATH}/${call.id}/recording`)).status).toBe(404);
    return;
  }
  // It ends with the first word of the refusal, long before the rest was said.
  const atMs = call.consent?.atMs ?? 0;
  expect(call.recording?.durationMs).toBeGreaterThan(0);
  expect(call.recording?.durationMs).toBeLessThanOrEqual(atMs);
  const [caller] = await rig.recording(call.id);
  expect(((caller?.pcm.length ?? 0) / (caller?.rateHz ?? 1)) * 1000).toBeLessThanOrEqual(atMs + 1);
}

test.each(['cut', 'delete'] as const)(
  'by telephone a spoken refusal is heeded: %s',
  async (onRefusal) => {
    const carrier = rig.carrier('twilio');
    const { number } = await rig.addNumber(carrier, announcing(onRefusal));
    const from = rig.person();
    const phone = await carrier.call({ from, to: number });
    await phone.connected;
    const { conversations } = await eventually(async () => {
      const list = await rig.ask<{ conversations: readonly Call[] }>(
        'GET',
        `${PATH}?userNumber=${encodeURIComponent(from)}`,
      );
      expect(list.conversations).toHaveLength(1);
      return list;
    });
    const call = await refuse(conversations[0]?.id ?? '', {
      say: (pcm) => phone.handset.say(pcm).spoken,
      hangUp: async () => {
        phone.hangup();
        await phone.ended;
      },
    });
    await expectRefused(call, onRefusal);
  },
);

test.each(['cut', 'delete'] as const)(
  'in a web call a spoken refusal is heeded: %s',
  async (onRefusal) => {
    const { id, webCall } = await rig.ask<ConnectedCall>('POST', `${PATH}/connect`, {
      direction: 'inbound',
      assistant: announcing(onRefusal),
    });
    const socket = new WebSocket(
      rig.url.replace('http', 'ws') + new URL(webCall?.url ?? '').pathname,
    );
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    socket.on('message', (data, isBinary) => {
      const frame = isBinary ? {} : JSON.parse(String(data));
      if (frame.type === 'mark') send({ type: 'played', mark: frame.mark });
    });
    await once(socket, 'open');
    send({ type: 'start', sampleRate: 8000 });
    // A microphone is never still.
    let speech = new Int16Array(0);
    const microphone = setInterval(() => {
      const frame = speech.subarray(0, FRAME);
      speech = speech.subarray(frame.length);
      const pcm = new Int16Array(FRAME);
      pcm.set(frame);
      socket.send(Buffer.from(pcm.buffer));
    }, 20);
    try {
      const call = await refuse(id, {
        say: async (pcm) => {
          speech = pcm.slice();
          while (speech.length > 0) await delay(20);
        },
        hangUp: async () => {
          const closed = once(socket, 'close');
          send({ type: 'hangup' });
          await closed;
        },
      });
      await expectRefused(call, onRefusal);
    } finally {
      clearInterval(microphone);
      socket.close();
    }
  },
);
