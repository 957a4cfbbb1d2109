import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import puppeteer, { type Page } from 'puppeteer-core';
import { eventually } from './eventually.ts';

const AUDIO = resolve(import.meta.dirname, '../../fixtures/audio');
const firefoxPath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);
const PROGRAMS = ['/usr/bin/pulseaudio', '/usr/bin/pactl', '/usr/bin/paplay', '/usr/bin/parec'];

/** Why there can be no call in Firefox on this machine; undefined if there can. */
export const firefoxMissing = !firefoxPath
  ? 'no Firefox is installed'
  : PROGRAMS.every((path) => existsSync(path))
    ? undefined
    : 'no PulseAudio is installed, without which it has neither microphone nor loudspeaker';

/** Firefox with a sound card of its own. */
export interface Firefox extends AsyncDisposable {
  openPage(url: string): Promise<{ readonly page: Page; readonly complaints: readonly string[] }>;
  /** Plays a recording into the microphone; resolves at its end. */
  say(recording: string): Promise<void>;
  /** The loudest sample of the last fifth of a second at the loudspeaker, of 1. */
  loudness(): number;
}

/** Starts Firefox, with a loudspeaker and a microphone unless it is to have none. Skip where {@link firefoxMissing}. */
export async function openFirefox({ soundCard = true } = {}): Promise<Firefox> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-firefox-'));
  const socket = join(folder, 'sound');
  await mkdir(join(folder, 'pulse'), { mode: 0o700 });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    PULSE_RUNTIME_PATH: join(folder, 'pulse'),
    PULSE_SERVER: `unix:${socket}`,
  };
  const children: ChildProcess[] = [];
  const start = (command: string, ...args: readonly string[]) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(child);
    return child;
  };
  const run = (command: string, ...args: readonly string[]) =>
    promisify(execFile)(command, args, { env });
  const stop = async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const startSound = async () => {
    start(
      'pulseaudio',
      ...['-n', '--daemonize=no', '--exit-idle-time=-1', '--disable-shm=yes', '--use-pid-file=no'],
      `--load=module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
      '--load=module-null-sink sink_name=loudspeaker',
      '--load=module-null-sink sink_name=voice',
      '--load=module-remap-source master=voice.monitor source_name=microphone',
    );
    await eventually(() => run('pactl', 'set-default-sink', 'loudspeaker'));
    await run('pactl', 'set-default-source', 'microphone');
    const cable = start(
      'parec',
      ...['--device=loudspeaker.monitor', '--format=s16le', '--rate=8000', '--channels=1'],
      '--latency-msec=50',
    );
    return listen(cable);
  };
  try {
    const heard = soundCard ? await startSound() : [];
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: firefoxPath ?? '',
      headless: true,
      env,
      extraPrefsFirefox: {
        // Nobody is there to be asked for the microphone.
        'media.navigator.permission.disabled': true,
        ...(soundCard
          ? {}
          : { 'media.navigator.streams.fake': true, 'media.cubeb.force_null_context': true }),
      },
    });
    return {
      async openPage(url) {
        const page = await browser.newPage();
        page.setDefaultTimeout(60_000);
        const complaints: string[] = [];
        page.on('pageerror', (error) => complaints.push(String(error)));
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(message.text());
        });
        await page.goto(url);
        return { page, complaints };
      },
      async say(recording) {
        await run('paplay', '--device=voice', join(AUDIO, recording));
      },
      loudness: () => Math.max(0, ...heard) / 32_768,
      async [Symbol.asyncDispose]() {
        await browser.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The last samples of a stream, as a window that moves. */
function listen({ stdout }: ChildProcess): readonly number[] {
  const samples: number[] = [];
  let odd = Buffer.alloc(0);
  stdout?.on('data', (data: Buffer) => {
    const bytes = Buffer.concat([odd, data]);
    const whole = bytes.length - (bytes.length % 2);
    for (let at = 0; at < whole; at += 2) samples.push(Math.abs(bytes.readInt16LE(at)));
    odd = bytes.subarray(whole);
    samples.splice(0, samples.length - 1600);
  });
  return samples;
}
