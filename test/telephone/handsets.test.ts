import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Call } from '../../src/contract/call.ts';
import { PhoneRig } from '../support/phone-rig.ts';

const RATE_HZ = 16_000;

let rig: PhoneRig;
let number: string;
let numberId: string;

beforeAll(async () => {
  rig = await PhoneRig.start();
  number = '+15005550170';
  const path = '/assistants/v1/numbers/emulator';
  ({ _id: numberId } = await rig.ask<{ _id: string }>('POST', path, { number }));
  const { _id: assistantId } = await rig.ask<{ _id: string }>('POST', '/assistants/v1/assistants', {
    name: 'Phone',
    welcomeMessage: 'Hello, you have reached the bicycle shop.',
  });
  await rig.ask('PUT', `/assistants/v1/numbers/${numberId}`, { assistantId });
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

interface Opened {
  readonly number: string;
  readonly url: string;
}

const open = (body: { number?: string } = {}) =>
  rig.ask<Opened>('POST', '/calls/v1/handsets', body);

/** A browser that is a telephone. */
class Browser {
  readonly frames: Record<string, unknown>[] = [];
  readonly heard: Int16Array[] = [];
  ready: Record<string, unknown> = {};
  readonly socket: WebSocket;
  #woken: (() => void) | undefined;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.heard.push(new Int16Array(new Uint8Array(data).buffer));
      else this.frames.push(JSON.parse(data.toString()));
      this.#woken?.();
    });
    this.socket.on('close', () => this.#woken?.());
  }

  static async open(body: { number?: string } = {}, sampleRate = RATE_HZ): Promise<Browser> {
    return Browser.at((await open(body)).url, sampleRate);
  }

  static async at(url: string, sampleRate = RATE_HZ): Promise<Browser> {
    const browser = new Browser(url);
    await once(browser.socket, 'open');
    browser.say({ type: 'start', sampleRate });
    browser.ready = await browser.next('ready');
    return browser;
  }

  /** Where the browser comes back to, once. */
  get returnUrl(): string {
    return this.socket.url.replace(/[^/]+$/, String(this.ready.resumeToken));
  }

  say(frame: Record<string, unknown>): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** Resolves when all that was sent was read. */
  async read(): Promise<void> {
    this.socket.ping();
    await once(this.socket, 'pong');
  }

  /** The first frame of this type that was not taken yet. */
  async next(type: string): Promise<Record<string, unknown>> {
    for (;;) {
      const at = this.frames.findIndex((frame) => frame.type === type);
      if (at >= 0) return this.frames.splice(at, 1)[0] as Record<string, unknown>;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`closed before ${type}`);
      await new Promise<void>((resolve) => {
        this.#woken = resolve;
      });
    }
  }

  get loudMs(): number {
    return this.heard.flatMap((pcm) => [...pcm]).filter((x) => Math.abs(x) > 200).length / 16;
  }
}

const conversation = (id: unknown) => rig.ask<Call>('GET', `/calls/v1/conversations/${id}`);

const finished = async (id: unknown) => {
  await expect.poll(async () => (await conversation(id)).status).toBe('finished');
  return conversation(id);
};

test('a browser calls an assistant, hears it, presses a key, and hangs up', async () => {
  const browser = await Browser.open();
  browser.say({ type: 'call', to: number });
  await browser.next('dialling');
  const { callId, peer } = await browser.next('answered');
  expect(peer).toBe(number);
  await expect.poll(() => browser.loudMs).toBeGreaterThan(500);
  browser.say({ type: 'dtmf', digit: '5' });
  const log = () => rig.text(`/calls/v1/conversations/${callId}/events`);
  await expect.poll(log).toContain('"type":"dtmf"');
  browser.say({ type: 'hangup' });
  expect(await browser.next('ended')).toEqual({ type: 'ended', reason: 'completed' });
  expect(await finished(callId)).toMatchObject({
    callType: 'phone',
    direction: 'inbound',
    assistantNumber: number,
    phoneCallStatus: 'completed',
    endReason: 'user-hung-up',
  });
  // Real time, not as fast as it was made.
  const heardMs = browser.heard.reduce((sum, pcm) => sum + pcm.length, 0) / 16;
  expect(heardMs).toBeLessThan(20_000);
  browser.socket.close();
});

test.each([8000, 16_000])(
  'what is said into the browser at %i Hz reaches the call',
  async (rate) => {
    const browser = await Browser.open({}, rate);
    browser.say({ type: 'call', to: number });
    const { callId } = await browser.next('answered');
    await expect.poll(() => browser.heard.length).toBeGreaterThan(5);
    // A hum is voice enough for the levels of a listener.
    const hum = Int16Array.from(
      { length: rate / 50 },
      (_, i) => 8000 * Math.sin((i * 800 * Math.PI) / rate),
    );
    const listen = await rig.ask<{ url: string }>(
      'POST',
      `/calls/v1/conversations/${callId}/listen`,
    );
    const ears = new WebSocket(listen.url);
    let loudest = 0;
    let loudMs = 0;
    ears.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) return;
      const pcm = new Int16Array(new Uint8Array(data).buffer);
      // The user's channel is the first.
      for (let i = 0; i < pcm.length; i += 2) {
        loudest = Math.max(loudest, Math.abs(pcm[i] ?? 0));
        // The telephone's own 8 kHz.
        if (Math.abs(pcm[i] ?? 0) > 200) loudMs += 1 / 8;
      }
    });
    await once(ears, 'open');
    // One by one, and sooner than they are spoken: what waits to be heard stays what it was.
    const silence = new Int16Array(hum.length);
    for (let i = 0; i < 16; i++) {
      browser.socket.send(i < 12 ? hum : silence);
      await browser.read();
    }
    await expect.poll(() => loudest).toBeGreaterThan(6000);
    await expect.poll(() => loudMs).toBeGreaterThan(200);
    expect(loudest).toBeLessThan(9000);
    browser.socket.close();
    expect(await finished(callId)).toMatchObject({ endReason: 'user-hung-up' });
  },
);

test('an assistant calls a browser, which rings; it is answered, and hung up by the service', async () => {
  const browser = await Browser.open({ number: '+15005550801' });
  const dialled = await dial('+15005550801');
  expect(await browser.next('ringing')).toEqual({ type: 'ringing', from: number });
  await expect.poll(async () => (await conversation(dialled)).phoneCallStatus).toBe('ringing');
  browser.say({ type: 'answer' });
  expect(await browser.next('answered')).toMatchObject({ peer: number, callId: dialled });
  await expect.poll(() => browser.loudMs).toBeGreaterThan(300);
  await rig.ask('POST', `/calls/v1/conversations/${dialled}/control`, { type: 'end', message: '' });
  expect(await browser.next('ended')).toMatchObject({ reason: 'completed' });
  browser.socket.close();
});

test('a declined call is busy, and so is a telephone that has a call', async () => {
  const browser = await Browser.open({ number: '+15005550805' });
  const declined = await dial('+15005550805');
  await browser.next('ringing');
  browser.say({ type: 'decline' });
  expect(await browser.next('ended')).toMatchObject({ reason: 'busy' });
  expect(await finished(declined)).toMatchObject({ phoneCallStatus: 'busy', endReason: 'busy' });
  const unanswered = await dial('+15005550805');
  await browser.next('ringing');
  browser.say({ type: 'decline', as: 'no-answer' });
  expect(await browser.next('ended')).toMatchObject({ reason: 'no-answer' });
  expect(await finished(unanswered)).toMatchObject({ phoneCallStatus: 'no-answer' });
  await dial('+15005550805');
  await browser.next('ringing');
  expect(await finished(await dial('+15005550805'))).toMatchObject({ phoneCallStatus: 'busy' });
  // Nobody is left to pick up.
  browser.socket.close();
});

test('texts come and go', async () => {
  const browser = await Browser.open();
  browser.say({ type: 'sms', to: number, text: 'Are you open on Sundays?' });
  expect(await browser.next('sms-sent')).toEqual({ type: 'sms-sent', to: number });
  browser.say({ type: 'call', to: number });
  const { callId } = await browser.next('answered');
  await rig.ask('POST', `/calls/v1/conversations/${callId}/control`, {
    type: 'sms',
    message: 'Your code is 4711.',
  });
  expect(await browser.next('sms')).toMatchObject({ from: number, text: 'Your code is 4711.' });
  browser.socket.close();
  await finished(callId);
});

test('a number that is not ours, and a second call, are refused', async () => {
  const browser = await Browser.open();
  browser.say({ type: 'call', to: '+15005551999' });
  expect(await browser.next('refused')).toMatchObject({ request: 'call', code: 'unknown-number' });
  browser.say({ type: 'sms', to: '+15005551999', text: 'Hello?' });
  expect(await browser.next('refused')).toMatchObject({ request: 'sms', code: 'unknown-number' });
  browser.say({ type: 'call', to: number });
  await browser.next('answered');
  browser.say({ type: 'call', to: number });
  expect(await browser.next('refused')).toMatchObject({ request: 'call', code: 'busy' });
  browser.socket.close();
});

test('a token works once, and a later telephone takes the place of the one before', async () => {
  const { url, number: own } = await open();
  const first = new Browser(url);
  await once(first.socket, 'open');
  first.say({ type: 'start', sampleRate: RATE_HZ });
  expect(await first.next('ready')).toMatchObject({ number: own });
  const again = new Browser(url);
  await once(again.socket, 'open');
  again.say({ type: 'start', sampleRate: RATE_HZ });
  expect(await again.next('error')).toMatchObject({ code: 'unknown-token' });
  const second = await Browser.open({ number: own });
  expect(await first.next('error')).toMatchObject({ code: 'replaced' });
  second.socket.close();
});

test('a telephone whose socket breaks comes back, once, with its call', async () => {
  const browser = await Browser.open();
  browser.say({ type: 'call', to: number });
  const { callId } = await browser.next('answered');
  browser.socket.terminate();
  const back = await Browser.at(browser.returnUrl);
  expect(back.ready).toMatchObject({ number: browser.ready.number, inCall: true });
  expect(await back.next('answered')).toEqual({ type: 'answered', peer: number, callId });
  await expect.poll(() => back.loudMs).toBeGreaterThan(100);
  await expect(Browser.at(browser.returnUrl)).rejects.toThrow('closed before ready');
  expect((await conversation(callId)).status).toBe('ongoing');
  // Back before the service has noticed that the former socket is lost.
  const again = await Browser.at(back.returnUrl);
  expect(again.ready).toMatchObject({ inCall: true });
  expect(await back.next('error')).toMatchObject({ code: 'replaced' });
  again.say({ type: 'hangup' });
  await again.next('ended');
  expect(await finished(callId)).toMatchObject({ endReason: 'user-hung-up' });
  again.socket.close();
});

test('a telephone that is switched off does not come back', async () => {
  const browser = await Browser.open();
  browser.socket.close();
  await once(browser.socket, 'close');
  await expect
    .poll(() => Browser.at(browser.returnUrl).catch((error: Error) => error.message))
    .toBe('closed before ready');
});

test("an assistant's own number cannot be a telephone's", async () => {
  const { status } = await rig.json('POST', '/calls/v1/handsets', { number });
  expect(status).toBe(409);
});

test('telephones without a number of their own get one that no other telephone has', async () => {
  // So many that some would share one if they were drawn blindly, but for one run in ten thousand.
  const opened: Opened[] = [];
  for (let round = 0; round < 25; round++)
    opened.push(...(await Promise.all(Array.from({ length: 16 }, () => open()))));
  expect(new Set(opened.map((telephone) => telephone.number)).size).toBe(opened.length);
});

async function dial(to: string): Promise<string> {
  const path = '/calls/v1/conversations/connect';
  const call = { direction: 'outbound', phoneNumberId: numberId, customer: { number: to } };
  return (await rig.ask<Call>('POST', path, call)).id;
}

test('a telephone is put out within a second when the key that opened it does so no more', async () => {
  const made = await rig.ask<{ id: string; key: string }>('POST', '/auth/v1/api-keys', {
    ...{ name: 'Desk', role: 'builder' },
  });
  const response = await fetch(`${rig.url}/calls/v1/handsets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const opened = (await response.json()) as Opened;
  const [theirs, others] = [await Browser.at(opened.url), await Browser.open()];
  await rig.ask('PATCH', `/auth/v1/api-keys/${made.id}`, { role: 'reviewer' });
  expect(await theirs.next('error')).toMatchObject({ code: 'not-allowed' });
  await expect.poll(() => theirs.socket.readyState).toBe(WebSocket.CLOSED);
  expect(others.socket.readyState).toBe(WebSocket.OPEN);
  others.socket.close();
});
