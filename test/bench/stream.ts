import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { request } from 'undici';
import WebSocket from 'ws';
import { systemClock } from '../../src/lib/system-clock.ts';
import { createCartesiaProtocol } from '../../src/providers/cartesia-tts/protocol.ts';
import { createDeepgramTtsProtocol } from '../../src/providers/deepgram-tts/protocol.ts';
import { createElevenLabsProtocol } from '../../src/providers/elevenlabs-tts/protocol.ts';
import { createProviders, type Providers } from '../../src/providers/registry.ts';
import type { TtsVendor, Utterance } from '../../src/providers/tts-socket/tts-vendor.ts';
import type { Bench } from './main.ts';

type Urls = Readonly<Record<'openai' | 'cartesia' | 'elevenlabs' | 'deepgram', string>>;

const REPLIES = 60;
const UTTERANCES = 60;
const KEY = 'k';
const TEXT = 'We are open from nine to five, every day of the week, and we like it.';
const MESSAGES = [{ role: 'user', content: 'hello' }] as const;

/** This thread's CPU per unit of what was read, µs. The first runs only warm up. */
async function measure(runs: number, run: (n: number) => Promise<number>): Promise<number> {
  for (let n = 0; n < Math.ceil(runs / 4); n++) await run(n);
  const before = process.threadCpuUsage();
  let units = 0;
  for (let n = 0; n < runs; n++) units += await run(n);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / units;
}

async function modelThroughAdapter(providers: Providers): Promise<number> {
  const llm = providers.llm({ provider: 'openai', model: 'gpt-4.1-mini', url: '' });
  let tokens = 0;
  const { signal } = new AbortController();
  for await (const part of llm.stream({ messages: MESSAGES, signal }))
    if (part.type === 'text') tokens++;
  return tokens;
}

/** Reads the answer and parses each event, and nothing else. */
async function modelBare(url: string): Promise<number> {
  const { body } = await request(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ model: 'gpt-4.1-mini', stream: true, messages: MESSAGES }),
  });
  let tokens = 0;
  let rest = '';
  body.setEncoding('utf8');
  for await (const chunk of body as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const event = JSON.parse(line.slice(6)) as { choices: { delta?: { content?: string } }[] };
      if (event.choices[0]?.delta?.content) tokens++;
    }
  }
  return tokens;
}

async function voiceThroughAdapter(providers: Providers, vendor: string): Promise<number> {
  let seconds = 0;
  const { signal } = new AbortController();
  const spoken = providers.tts(vendor).synthesize({ text: TEXT, sampleRateHz: 16_000, signal });
  for await (const part of spoken)
    if (part.type === 'audio') seconds += part.pcm.length / part.sampleRateHz;
  return seconds;
}

/** Reads the same frames of one connection: JSON parsed, audio decoded from base64, and nothing else. */
async function openBareVoice(vendor: TtsVendor) {
  const format = vendor.format(16_000);
  const bytesPerSecond = format.sampleRateHz * (format.encoding === 'pcm16' ? 2 : 1);
  const utterance: Utterance = { text: TEXT, voice: '', language: 'en', settings: {}, format };
  const socket = new WebSocket(vendor.url(utterance), {
    headers: { ...vendor.headers },
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  const speak = (n: number): Promise<number> =>
    new Promise((resolve) => {
      let bytes = 0;
      const onMessage = (data: Buffer, isBinary: boolean): void => {
        if (isBinary) {
          bytes += data.length;
          return;
        }
        const frame = JSON.parse(data.toString()) as Record<string, unknown>;
        const audio = frame.audio ?? frame.data;
        if (typeof audio === 'string') bytes += Buffer.from(audio, 'base64').length;
        if (frame.type === 'Flushed' || frame.type === 'done' || frame.isFinal || frame.is_final) {
          socket.off('message', onMessage);
          resolve(bytes / bytesPerSecond);
        }
      };
      socket.on('message', onMessage);
      for (const message of vendor.begin(`bare_${n}_${performance.now()}`, utterance))
        socket.send(message);
    });
  return { speak, close: () => socket.terminate() };
}

async function compareVoices(providers: Providers, urls: Urls, runs: number) {
  const protocols: Record<string, TtsVendor> = {
    cartesia: createCartesiaProtocol({ apiKey: KEY, baseUrl: urls.cartesia }),
    elevenlabs: createElevenLabsProtocol({ apiKey: KEY, baseUrl: urls.elevenlabs }),
    deepgram: createDeepgramTtsProtocol({ apiKey: KEY, baseUrl: urls.deepgram }),
  };
  const rows: Record<string, Row> = {};
  for (const [name, vendor] of Object.entries(protocols)) {
    // Deepgram counts flushes: a connection of its own for each run of them.
    const many = vendor.maxPerMinute === undefined ? runs : Math.min(runs, 12);
    const bare = await openBareVoice(vendor);
    const bareUs = await measure(many, bare.speak);
    bare.close();
    const adapterUs = await measure(many, () => voiceThroughAdapter(providers, name));
    rows[`${name}, per second of audio`] = row(adapterUs, bareUs);
  }
  return rows;
}

interface Row {
  readonly adapterUs: number;
  readonly bareUs: number;
  readonly ratio: number;
}

function row(adapterUs: number, bareUs: number): Row {
  const round = (value: number) => Math.round(value * 10) / 10;
  return { adapterUs: round(adapterUs), bareUs: round(bareUs), ratio: round(adapterUs / bareUs) };
}

export const bench: Bench = {
  about: 'CPU of reading a model and each voice through its adapter, against a bare read, µs',
  async run({ scale }) {
    const worker = new Worker(new URL('./stream-servers.ts', import.meta.url));
    const [urls] = (await once(worker, 'message')) as [Urls];
    const access = (baseUrl: string) => ({ apiKey: KEY, baseUrl });
    const providers = createProviders({
      vendors: {
        OPENAI: access(urls.openai),
        CARTESIA: access(urls.cartesia),
        ELEVENLABS: access(urls.elevenlabs),
        DEEPGRAM: access(urls.deepgram),
      },
      allowPrivateTargets: true,
      clock: systemClock,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const replies = Math.max(8, Math.round(REPLIES * scale));
    const bareUs = await measure(replies, () => modelBare(urls.openai));
    const adapterUs = await measure(replies, () => modelThroughAdapter(providers));
    const utterances = Math.max(8, Math.round(UTTERANCES * scale));
    const rows: Record<string, Row> = {
      'model, per token': row(adapterUs, bareUs),
      ...(await compareVoices(providers, urls, utterances)),
    };
    console.table(rows);
    console.log('goal: a ratio of 3 or less');
    await providers.close();
    await worker.terminate();
    return rows;
  },
};
