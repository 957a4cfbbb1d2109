import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peakDb } from '../../src/audio/level.ts';
import { parseWav } from '../../src/audio/parse-wav.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const QUESTION = join(ROOT, 'fixtures/audio/what-your-country-can-do.wav');

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'call-command-'));
});

afterAll(() => rm(dir, { recursive: true }));

/** The command as a user runs it, in an empty folder and with nothing of our environment. */
function call(...args: string[]): Promise<Ran> {
  const { promise, resolve: done } = Promise.withResolvers<Ran>();
  const env = { PATH: process.env.PATH ?? '', PORT: '1' };
  execFile(
    process.execPath,
    [join(ROOT, 'src/cli/call.ts'), ...args],
    { cwd: dir, env },
    (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : Number(error.code);
      done({ exitCode, stdout, stderr });
    },
  );
  return promise;
}

describe('npm run call', () => {
  test('holds a whole call from a human recording, with a service of its own, all offline', {
    timeout: 90_000,
  }, async () => {
    const { exitCode, stdout, stderr } = await call(QUESTION, '--out', 'kept');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/caller +What your country can do for you\?/);
    expect(stdout).toMatch(/assistant +That is the wrong way round/);
    const latencyMs = Number(/what-your-country-can-do\.wav +(\d+) ms/.exec(stdout)?.[1]);
    expect(latencyMs).toBeGreaterThan(200);
    expect(latencyMs).toBeLessThan(3000);

    const kept = (name: string) => readFile(join(dir, 'kept', name));
    const text = (await kept('transcript.txt')).toString();
    expect(text).toContain('What your country can do for you?');
    for (const name of ['caller.wav', 'recording.wav']) {
      const { channels } = parseWav(await kept(name));
      expect(channels.map((channel) => peakDb(channel) > -20)).toEqual([true, true]);
    }
    const lines = (await kept('journal.ndjson')).toString().trim().split('\n');
    const journal = lines.map((line) => JSON.parse(line) as { seq: number; type: string });
    expect(journal.map(({ seq }) => seq)).toEqual(
      journal.map((_, i) => i + (journal[0]?.seq ?? 0)),
    );
    expect(journal.some(({ type }) => type === 'llm.start')).toBe(true);
    expect(journal.at(-1)?.type).toBe('finish');
  });

  test.each([
    ['twilio', []],
    ['telnyx', ['--outbound']],
    ['asterisk', []],
    ['emulator', []],
    ['emulator', ['--outbound']],
  ] as const)('holds it by telephone, through %s %j', { timeout: 90_000 }, async (via, more) => {
    const out = `by-${via}`;
    const { exitCode, stdout, stderr } = await call(QUESTION, '--via', via, ...more, '--out', out);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/The call is finished \(user-hung-up\)/);
    const { channels } = parseWav(await readFile(join(dir, out, 'recording.wav')));
    for (const channel of channels) expect(peakDb(channel)).toBeGreaterThan(-30);
    const transcript = (await readFile(join(dir, out, 'transcript.txt'))).toString();
    expect(transcript.match(/^.*assistant/gim)?.length).toBeGreaterThan(1);
  });

  test.each([
    [['nowhere.wav'], 2, 'call: nowhere.wav: no such file\n'],
    [
      [QUESTION, '--via', 'pigeon'],
      2,
      'call: --via pigeon is unknown: web, twilio, telnyx, asterisk, emulator\n',
    ],
    [
      [QUESTION, '--url', 'http://127.0.0.1:1'],
      1,
      'call: no service is ready at http://127.0.0.1:1\n',
    ],
  ])('%j is one line on the error output', async (args, exitCode, stderr) => {
    expect(await call(...args)).toEqual({ exitCode, stdout: '', stderr });
  });

  test('--help is the help', async () => {
    const { exitCode, stdout } = await call('--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: npm run call -- <file.wav>...');
  });
});
