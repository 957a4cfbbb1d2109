import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ALLOCATOR, HEAP_FLAGS } from '../../../src/allocator.mjs';
import { ServiceClient } from '../../../src/cli/service-client.ts';
import { ACCOUNT_SID } from './account.ts';
import { Child } from './child.ts';
import type { ProbeApi, Reading, Target } from './messages.ts';
import { SYSTEM_PROMPT } from './vendor-script.ts';
import type { Vendors } from './vendors.ts';
import { joinReadings, readWorkers, WORKERS_DIR } from './worker-probes.ts';

const HERE = import.meta.dirname;
const MAIN = resolve(HERE, '../../../src/start.mjs');
const PROBE = join(HERE, 'probe.ts');
const KEY = 'bench-key-bench-key-bench-key';
const AUTH_TOKEN = '0123456789abcdef0123456789abcdef';
const NUMBER = '+15005550006';

/** The assistant of every call: recording on, and no wait that a setting asks for. */
const ASSISTANT = {
  name: 'Load',
  assistantProvider: 'openai',
  assistantModel: 'gpt-4.1-mini',
  assistantSystemPrompt: SYSTEM_PROMPT,
  welcomeMessageMode: 'assistant-waits-for-user',
  maxCallDuration: 120,
  // Silent callers are not asked whether they are still there.
  idleTimeout: 600,
  // Every reply is another: kept, they would only be counted as memory of the calls.
  ttsCacheEnabled: false,
  startSpeakingOptions: {
    waitSeconds: 0,
    smartEndpointing: 'off',
    onPunctuationSeconds: 0,
    onNoPunctuationSeconds: 0,
    onNumberSeconds: 0,
  },
  config: {
    speech: { stt: { vendor: 'deepgram' }, ttsData: [{ vendor: 'cartesia' }] },
  },
};

/** A process under measurement, and those that it has started as its like. */
export interface Measured {
  readonly probe: Child<ProbeApi>;
  /** Of all its processes together. */
  read(options: { readonly gc: boolean }): Promise<Reading>;
  readonly target: Omit<Target, 'calls' | 'wires' | 'silent'>;
  /** The service's own interface; absent: it has none. */
  readonly client?: ServiceClient;
  stop(): Promise<void>;
}

/** Flags of the runtime to try out. */
const FLAGS = process.env.NODE_FLAGS?.split(' ') ?? [];
const measuredBy = { execArgv: [...HEAP_FLAGS, ...FLAGS, '--expose-gc', '--import', PROBE] };

/** The service as it is started anywhere, with a probe in it and its vendors in another process. */
export async function startService(
  vendors: Vendors,
  env: Readonly<Record<string, string>> = {},
  /** Where its log goes: a file's descriptor. */
  log: 'inherit' | number = 'inherit',
  /** What its assistant has otherwise; undefined: the setting's default. */
  assistant: Partial<Readonly<Record<keyof typeof ASSISTANT, unknown>>> = {},
): Promise<Measured & { readonly client: ServiceClient }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  const workersDir = join(folder, 'workers');
  await mkdir(workersDir);
  const { stt, tts, llm, carrier } = await vendors.ask('urls');
  const probe = new Child<ProbeApi>(MAIN, {
    ...measuredBy,
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      // The service sets these and the flags of the heap itself, but not with a channel to its parent.
      ...ALLOCATOR,
      DATA_DIR: join(folder, 'data'),
      [WORKERS_DIR]: workersDir,
      PORT: '0',
      API_KEY: KEY,
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '1',
      MAX_CALLS: '5000',
      ALLOW_PRIVATE_TARGETS: 'true',
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: llm,
      OPENAI_CONCURRENCY: '5000',
      DEEPGRAM_API_KEY: 'k',
      DEEPGRAM_BASE_URL: stt,
      DEEPGRAM_CONCURRENCY: '5000',
      CARTESIA_API_KEY: 'k',
      CARTESIA_BASE_URL: tts,
      CARTESIA_CONCURRENCY: '5000',
      TWILIO_BASE_URL: carrier,
      ...env,
    },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  const read: Measured['read'] = async (options) =>
    joinReadings([await probe.ask('read', options), ...(await readWorkers(workersDir, options))]);
  const stop = async () => {
    await probe.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await addressOf(probe.process, /(http:\/\/[^/\s]+)\/console\//);
    const client = new ServiceClient(url, KEY);
    const prepared = await prepare(client, assistant);
    const target = { kind: 'service', url, apiKey: KEY, ...prepared } as const;
    return { probe, read, client, target, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An assistant, and a number that leads to it. */
async function prepare(client: ServiceClient, assistant: object) {
  const { _id: assistantId } = await client.createAssistant({ ...ASSISTANT, ...assistant });
  const numberId = await client.importNumber('twilio', {
    number: NUMBER,
    credentials: { accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN },
  });
  await client.attachNumber(numberId, assistantId);
  return { assistantId, carrier: { number: NUMBER, authToken: AUTH_TOKEN } };
}

/** The floor, measured in the same way. */
export async function startFloor(): Promise<Measured> {
  const probe = new Child<ProbeApi>(join(HERE, 'floor.ts'), {
    ...measuredBy,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await addressOf(probe.process, /(http:\S+)/);
  const read: Measured['read'] = (options) => probe.ask('read', options);
  return { probe, read, target: { kind: 'floor', url }, stop: () => probe.stop() };
}

function addressOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((found, failed) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const address = output.match(pattern)?.[1];
      if (address) found(address);
    });
    child.once('exit', (code) => failed(new Error(`a process ended with ${code}: ${output}`)));
  });
}
