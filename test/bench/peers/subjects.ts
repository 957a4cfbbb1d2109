import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Child } from '../calls/child.ts';
import { startService } from '../calls/loaded-service.ts';
import type { Target, VendorsApi } from '../calls/messages.ts';
import { counted } from '../calls/summary.ts';
import type { Kind } from './livekit/session.ts';
import type { PeerEnv } from './livekit/setup.ts';

const HERE = join(import.meta.dirname, 'livekit');
const STARTED_MS = 60_000;

/** A process, with those that it has started, that holds calls. */
export interface Running {
  readonly pid: number;
  readonly target: Omit<Target, 'calls' | 'wires' | 'silent'>;
  /** What its log warned of, and how often. */
  warnings(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

export interface Subject {
  readonly name: string;
  readonly about: string;
  /** Calls at quality are searched for; else only the first load is measured. */
  readonly isSearched: boolean;
  start(vendors: Child<VendorsApi>): Promise<Running>;
}

/** As many calls as are asked for, however late they make it. */
const ALL_TAKEN = { MAX_LAG_MS: '10000', LOG_LEVEL: 'info', NODE_ENV: 'production' };

const WARN = 40;

/** Both write a line of JSON for each event. */
function warningsOf(lines: readonly string[]): Readonly<Record<string, number>> {
  return counted(
    lines.flatMap((line) => {
      if (!line.startsWith('{')) return [];
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      return level >= WARN ? [msg] : [];
    }),
  );
}

const PARLEY: Subject = {
  name: 'parley',
  about: 'Parley, one process and its database',
  isSearched: true,
  async start(vendors) {
    const path = join(tmpdir(), `parley-bench-peers-${process.pid}.log`);
    const log = openSync(path, 'w');
    const remove = () => {
      closeSync(log);
      rmSync(path);
    };
    try {
      const { probe, target, stop } = await startService(vendors, ALL_TAKEN, log, {
        // What a new assistant has.
        startSpeakingOptions: undefined,
      });
      return {
        pid: probe.process.pid ?? 0,
        target,
        warnings: () => warningsOf(readFileSync(path, 'utf8').split('\n')),
        stop: () => stop().finally(remove),
      };
    } catch (error) {
      remove();
      throw error;
    }
  },
};

async function startLiveKit(
  module: string,
  folder: string,
  kind: Kind,
  vendors: Child<VendorsApi>,
): Promise<Running> {
  const env: PeerEnv = {
    PEER_FOLDER: folder,
    PEER_KIND: kind,
    PEER_VENDORS: JSON.stringify(await vendors.ask('urls')),
  };
  const child = new Child<Record<never, never>>(join(HERE, module), {
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines: string[] = [];
  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.process.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const [, url] = /^listening at (\S+)$/.exec(line) ?? [];
    if (url) listening.resolve(url);
    else lines.push(line);
  });
  child.process.once('exit', (code) =>
    listening.reject(new Error(`LiveKit's process ended with ${code}`)),
  );
  const timer = setTimeout(
    () => listening.reject(new Error("LiveKit's process did not start")),
    STARTED_MS,
  );
  try {
    const url = await listening.promise;
    const target = { kind: 'service', url, apiKey: 'k', assistantId: 'k' } as const;
    const pid = child.process.pid ?? 0;
    return { pid, target, warnings: () => warningsOf(lines), stop: () => child.stop() };
  } catch (error) {
    await child.stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const liveKit = (
  name: string,
  about: string,
  { folder, module = 'one-process.ts', kind }: { folder: string; module?: string; kind: Kind },
): Subject => ({
  name,
  about,
  isSearched: module === 'one-process.ts',
  start: (vendors) => startLiveKit(module, folder, kind, vendors),
});

/** All that are compared. `folder` has LiveKit's packages. */
export const subjectsOf = (folder: string): readonly Subject[] => [
  PARLEY,
  liveKit('livekit', 'LiveKit, one process, a session’s defaults', { folder, kind: 'default' }),
  liveKit('livekit-silero', 'LiveKit, one process, with its Silero plugin', {
    folder,
    kind: 'silero-plugin',
  }),
  liveKit('livekit-stt', 'LiveKit, one process, no voice activity, turns by the recogniser', {
    folder,
    kind: 'stt',
  }),
  liveKit('livekit-jobs', 'LiveKit, as it deploys: a process a call, a session’s defaults', {
    folder,
    kind: 'default',
    module: 'worker.ts',
  }),
];
