import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { missingForLoad } from './load-process.ts';
import { monotonicMs } from './messages.ts';
import { REPLY_MS } from './vendor-script.ts';
import { startVendors, type Vendors } from './vendors.ts';

const missing = missingForLoad();
const RATE_HZ = 16_000;
const FIRST = 'We are open from nine to five on every day of the week';

let vendors: Vendors;
let urls: Awaited<ReturnType<typeof inquire>>;
const inquire = () => vendors.ask('urls');

interface Message {
  readonly type: string;
  readonly is_final?: boolean;
  readonly start?: number;
  readonly duration?: number;
  readonly data?: string;
  readonly context_id?: string;
  readonly channel?: { readonly alternatives: readonly Alternative[] };
  readonly word_timestamps?: Record<'words' | 'start' | 'end', readonly unknown[]>;
}

interface Alternative {
  readonly transcript: string;
  readonly words: readonly {
    readonly word: string;
    readonly start: number;
    readonly end: number;
  }[];
}

/** A vendor's socket and all that it said, with the instants. */
async function open(url: string) {
  const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false });
  const told: { readonly message: Message; readonly atMs: number }[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    told.push({ message: JSON.parse(data.toString()) as Message, atMs: monotonicMs() });
    for (const look of waiting) look();
  });
  await once(socket, 'open');
  const until = (isThere: (message: Message) => boolean) =>
    new Promise<Message>((resolve) => {
      const look = () => {
        const found = told.find(({ message }) => isThere(message));
        if (!found) return;
        waiting.delete(look);
        resolve(found.message);
      };
      waiting.add(look);
      look();
    });
  return { socket, told, until };
}

const transcriptOf = ({ channel }: Message) => channel?.alternatives[0]?.transcript;

function tone(ms: number, level: number): Buffer {
  const pcm = new Int16Array((RATE_HZ * ms) / 1000).map((_, i) => (i % 2 ? level : -level));
  return Buffer.from(pcm.buffer);
}

const openEars = () => open(`${urls.stt}/v1/listen?model=nova-3&sample_rate=${RATE_HZ}`);

async function say(ears: Awaited<ReturnType<typeof open>>, ms: number): Promise<Message> {
  for (let at = 0; at < ms; at += 100) ears.socket.send(tone(100, 3000));
  ears.socket.send(JSON.stringify({ type: 'Finalize' }));
  return ears.until(
    ({ is_final, channel }) => !!is_final && transcriptOf({ type: '', channel }) !== '',
  );
}

const asking = (prompt: string, heard: string) =>
  JSON.stringify({
    model: 'm',
    stream: true,
    messages: [
      { role: 'system', content: `\n"Quoted" \\ ${prompt}` },
      { role: 'user', content: 'Speaker nam asks for nam.' },
      { role: 'assistant', content: 'Well.' },
      { role: 'user', content: heard },
    ],
    tools: [{ role: 'user', content: 'not a message' }],
  });

async function complete(body: string): Promise<{ readonly text: string; readonly last: string }> {
  const response = await fetch(`${urls.llm}/chat/completions`, { method: 'POST', body });
  const events = (await response.text()).split('\n\n').filter((event) => event !== '');
  const said = events
    .filter((event) => event !== 'data: [DONE]')
    .map((event) => JSON.parse(event.replace(/^data: /, '')));
  const text = said.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  expect(said.at(-2).choices[0].finish_reason).toBe('stop');
  expect(said.at(-1).usage.completion_tokens).toBe(text.split(' ').length);
  return { text, last: events.at(-1) ?? '' };
}

const speech = (context_id: string, transcript: string, encoding = 'pcm_s16le') =>
  JSON.stringify({
    context_id,
    transcript,
    output_format: {
      container: 'raw',
      encoding,
      sample_rate: encoding === 'pcm_mulaw' ? 8000 : 24_000,
    },
  });

describe.skipIf(missing !== undefined)(
  `the vendors of the load${missing ? `: ${missing}` : ''}`,
  () => {
    beforeAll(async () => {
      vendors = await startVendors();
      urls = await inquire();
    });
    afterAll(() => vendors.stop());

    test('hear a voice: three words while it speaks, all when asked, silence as nothing', async () => {
      const ears = await openEars();
      for (let at = 0; at < 3000; at += 100) ears.socket.send(tone(100, 12));
      const silence = await ears.until(({ type }) => type === 'Results');
      expect(silence).toMatchObject({ is_final: true, start: 0, duration: 3 });
      expect(transcriptOf(silence)).toBe('');
      const final = await say(ears, 600);
      const [interim] = ears.told.map(({ message }) => message).filter((one) => !one.is_final);
      expect(transcriptOf(interim as Message)).toMatch(/^Speaker na[b-m]+ asks$/);
      expect(transcriptOf(final)).toMatch(/^Speaker na[b-m]+ asks for nab\.$/);
      expect([final.start, final.duration]).toEqual([3, 0.6]);
      const words = final.channel?.alternatives[0]?.words ?? [];
      expect(words.map(({ word }) => word).join(' ')).toBe(transcriptOf(final));
      expect(words[0]?.start).toBeCloseTo(3, 6);
      expect(words.at(-1)?.end).toBeCloseTo(3.6, 6);
      ears.socket.send(JSON.stringify({ type: 'CloseStream' }));
      expect((await once(ears.socket, 'close'))[0]).toBe(1000);
    });

    test('account for a final text: whose it is, when it was sent, when model and voice were busy with its answer', async () => {
      const [ears, mouth] = [await openEars(), await open(urls.tts)];
      await vendors.ask('reset');
      const before = monotonicMs();
      const heard = transcriptOf(await say(ears, 400)) ?? '';
      const { text } = await complete(asking('Call c-17 of (+1500). Be brief.', heard));
      expect(text).toMatch(/^We are open .* week, (na[b-m]+)\. Would you like .* today, \1\?$/);
      const [first = '', second = ''] = text.split(/(?<=\.) /);
      for (const [context, part] of Object.entries({ first, second }))
        mouth.socket.send(speech(context, part));
      await mouth.until(({ type, context_id }) => type === 'done' && context_id === 'second');
      const { finals, callIds } = await vendors.ask('report');
      expect(callIds).toEqual({ '+1500': 'c-17' });
      expect(finals).toHaveLength(1);
      const [{ party, callId, atMs, own } = { own: [] } as never] = finals;
      expect({ party, callId }).toEqual({ party: '+1500', callId: 'c-17' });
      expect(atMs).toBeGreaterThan(before);
      expect(own).toHaveLength(2);
      const instants = own.flatMap(({ from, to }) => [from, to]);
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
      expect(instants[0]).toBeGreaterThan(atMs);
      await vendors.ask('reset');
      expect(await vendors.ask('report')).toMatchObject({ finals: [], callIds: {} });
    });

    test('know a party without a number by its call, and none whose speaker is not in the text', async () => {
      const ears = await openEars();
      const heard = transcriptOf(await say(ears, 400)) ?? '';
      await complete(asking('Call c-18 of ().', heard));
      await complete(asking('Call c-19 of ().', 'Hello?'));
      expect((await vendors.ask('report')).callIds).toEqual({ 'c-18': 'c-18' });
    });

    test('answer with the first sentence at once and the rest word by word, another word in each reply', async () => {
      const ask = async () => {
        const body = asking('', '');
        const socket = connect(Number(new URL(urls.llm).port), '127.0.0.1');
        socket.write(
          `POST /v1/chat/completions HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        const parts: { readonly atMs: number; readonly text: string }[] = [];
        for await (const data of socket) {
          parts.push({ atMs: monotonicMs(), text: String(data) });
          if (String(data).includes('[DONE]')) break;
        }
        const words = [...(parts[0]?.text ?? '').matchAll(/"content":"([^"]*)"/g)];
        const tookMs = (parts.at(-1)?.atMs ?? 0) - (parts[0]?.atMs ?? 0);
        // Ten words more, and the end.
        return { first: words.map(([, word]) => word).join(''), isPaced: tookMs > 11 * 12 - 2 };
      };
      // On a busy machine what came first may be read late, and together with the next: then it is asked again.
      await expect.poll(ask).toEqual({
        first: expect.stringMatching(/^We are open .* week, na[b-m]+\. Would$/),
        isPaced: true,
      });
      const [one, other] = [await complete(asking('', '')), await complete(asking('', ''))];
      expect(one.last).toBe('data: [DONE]');
      expect(one.text.startsWith(FIRST)).toBe(true);
      expect(one.text).not.toBe(other.text);
    });

    test('speak a reply of the load in its length, in chunks of a hum that come four times as fast', async () => {
      const mouth = await open(urls.tts);
      mouth.socket.send(speech('one', `${FIRST}, nabb.`));
      mouth.socket.send(speech('two', 'Would you, nabb?', 'pcm_mulaw'));
      await Promise.all(
        ['one', 'two'].map((id) => mouth.until((it) => it.type === 'done' && it.context_id === id)),
      );
      const of = (id: string, type: string) =>
        mouth.told.filter(({ message }) => message.context_id === id && message.type === type);
      const bytes = (id: string) =>
        Buffer.concat(
          of(id, 'chunk').map(({ message }) => Buffer.from(message.data ?? '', 'base64')),
        );
      const pcm = bytes('one');
      expect(pcm.length / 48 + bytes('two').length / 8).toBe(REPLY_MS);
      const samples = Array.from({ length: 2400 }, (_, i) =>
        Math.trunc(Math.floor(6000 * Math.sin((2 * Math.PI * 200 * i) / 24_000) + 0.5)),
      );
      expect(Array.from({ length: 2400 }, (_, i) => pcm.readInt16LE(2 * i))).toEqual(samples);
      expect([...bytes('two').subarray(30, 34)]).toEqual([0xae, 0xaf, 0xd0, 0xd1]);
      let spoken = 0;
      const earlyMs = async () => {
        const id = `paced ${spoken++}`;
        mouth.socket.send(speech(id, `${FIRST}, nabb.`));
        await mouth.until((it) => it.type === 'done' && it.context_id === id);
        const chunks = of(id, 'chunk');
        const tookMs = (chunks.at(-1)?.atMs ?? 0) - (chunks[0]?.atMs ?? 0);
        return (chunks.length - 1) * 25 - tookMs;
      };
      // On a busy machine the first chunk may be read late: then it is spoken again.
      await expect.poll(earlyMs).toBeLessThan(5);
      const [times] = of('one', 'timestamps');
      expect(times?.message.word_timestamps?.words.join(' ')).toBe(`${FIRST}, nabb.`);
      expect(times?.message.word_timestamps?.end.at(-1)).toBeCloseTo(1.6, 6);
      expect(of('two', 'timestamps')).toEqual([]);
    });

    test('speak other texts by their words, keep escapes as they are, and fall silent when told to', async () => {
      const mouth = await open(urls.tts);
      const text = 'She said \\ "no"\u2026 \n to\u00e9';
      mouth.socket.send(speech('quo"te', text));
      await mouth.until(({ type }) => type === 'done');
      const [times] = mouth.told;
      expect(times?.message.word_timestamps?.words).toEqual(text.split(' '));
      expect(mouth.told.filter(({ message }) => message.type === 'chunk')).toHaveLength(18);
      expect(mouth.told.every(({ message }) => message.context_id === 'quo"te')).toBe(true);
      mouth.socket.send(speech('long', 'word '.repeat(100)));
      await mouth.until(({ type, context_id }) => type === 'chunk' && context_id === 'long');
      mouth.socket.send(JSON.stringify({ context_id: 'long', cancel: true }));
      await mouth.until(({ type, context_id }) => type === 'done' && context_id === 'long');
      const said = mouth.told.length;
      await delay(100);
      expect(mouth.told).toHaveLength(said);
    });

    test('have every number at the carrier, and take whatever it is asked for', async () => {
      const number = await fetch(
        `${urls.carrier}/2010-04-01/IncomingPhoneNumbers.json?A=b&PhoneNumber=%2B15005550006`,
      );
      expect(await number.json()).toEqual({
        sid: 'CA0',
        incoming_phone_numbers: [{ sid: 'PN0', phone_number: '+15005550006' }],
      });
      const posted = await fetch(`${urls.carrier}/Calls.json`, { method: 'POST', body: 'To=%2B1' });
      expect(await posted.json()).toEqual({ sid: 'CA0' });
    });
  },
);
