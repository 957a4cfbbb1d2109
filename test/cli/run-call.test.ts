import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { bytesFromPcm16 } from '../../src/audio/pcm16.ts';
import { wavHeader } from '../../src/audio/wav-header.ts';
import { CallLog } from '../../src/cli/call-log.ts';
import { parseCallOptions } from '../../src/cli/call-options.ts';
import { readRecording } from '../../src/cli/read-recording.ts';
import { runCall } from '../../src/cli/run-call.ts';
import { ServiceClient } from '../../src/cli/service-client.ts';
import { isLong } from '../support/effort.ts';
import { SCRIPTED_KEY, ScriptedService } from '../support/scripted-service.ts';

const SCRIPT = {
  welcome: { text: 'Hello.', durationMs: 200 },
  turns: [
    { heard: 'first question', answer: { text: 'First answer.', durationMs: 300 } },
    { heard: 'second question', answer: { text: 'Second answer.', durationMs: 300 } },
  ],
};

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'call-test-'));
});

afterEach(() => rm(dir, { recursive: true }));

/** Half a second: 100 ms of room, 300 ms of tone, 100 ms of room, at 24 kHz. */
async function question(name: string): Promise<string> {
  const pcm = Int16Array.from({ length: 12_000 }, (_, i) =>
    i >= 2400 && i < 9600 ? Math.round(9000 * Math.sin(i / 8)) : 0,
  );
  const audio = bytesFromPcm16(pcm);
  const header = wavHeader({ sampleRateHz: 24_000, channels: 1, dataBytes: audio.byteLength });
  const path = join(dir, name);
  await writeFile(path, Buffer.concat([header, audio]));
  return path;
}

async function call(
  service: ScriptedService,
  args: readonly string[],
  { key = SCRIPTED_KEY, signal = new AbortController().signal } = {},
) {
  const lines: string[] = [];
  const log = new CallLog((text) => lines.push(text));
  const options = parseCallOptions([...args, '--out', join(dir, 'out')]);
  if (!options) throw new Error('no options');
  const recordings = await Promise.all(
    options.files.map((path) => readRecording(path, options.sampleRateHz)),
  );
  const client = new ServiceClient(service.url, key);
  const exitCode = await runCall(client, options, { recordings, log, signal });
  return { exitCode, output: lines.join('') };
}

describe('a call from recordings', () => {
  test('plays each turn after the answer to the last, and writes what was said and heard', async () => {
    await using service = await ScriptedService.start(SCRIPT);
    const files = [await question('one.wav'), await question('two.wav')];
    const { exitCode, output } = await call(service, files);
    expect(exitCode).toBe(0);
    const order = ['Hello.', 'plays      one.wav', 'first question', 'First answer.'];
    order.push(
      'plays      two.wav',
      'second question',
      'Second answer.',
      'ended      user-hung-up',
    );
    const found = order.map((text) => output.indexOf(text));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found.every((index) => index >= 0)).toBe(true);
    // 200 ms of quiet end a turn, the answer comes at once; the player holds back 20 ms.
    for (const line of output.match(/ {2}\d+ {5}(one|two)\.wav +\d+ ms/g) ?? []) {
      const heard = Number(/(\d+) ms/.exec(line)?.[1]);
      expect(heard).toBeGreaterThanOrEqual(200);
      expect(heard).toBeLessThan(400);
    }
    const own = parseWav(await readFile(join(dir, 'out/caller.wav')));
    expect(own.channels).toHaveLength(2);
    const marks = service.sessions[0]?.events.filter((event) => event.startsWith('mark'));
    expect(marks).toEqual(['mark m1', 'mark m2', 'mark m3']);
    expect(await readFile(join(dir, 'out/transcript.txt'), 'utf8')).toBe('hello\n');
    expect(await readFile(join(dir, 'out/journal.ndjson'), 'utf8')).toBe('{"seq":1}\n');
    expect(output).toContain('caller.wav, recording.wav, transcript.txt, journal.ndjson');
  });

  test('speaks over an answer when asked to, and measures the silence after it', async () => {
    await using service = await ScriptedService.start({
      ...SCRIPT,
      turns: [
        { heard: 'one', answer: { text: 'A long answer.', durationMs: 5000 } },
        { heard: 'two', answer: { text: 'Yes?', durationMs: 200 } },
      ],
    });
    const files = [await question('one.wav'), await question('two.wav')];
    const { exitCode, output } = await call(service, [...files, '--barge-in', '300']);
    expect(exitCode).toBe(0);
    expect(output).toContain('heard  silenced');
    const silenced = Number(/two\.wav +-?\d+ ms +(\d+) ms/.exec(output)?.[1]);
    expect(silenced).toBeLessThan(150);
    expect(service.sessions[0]?.events.some((event) => event.startsWith('cleared'))).toBe(true);
  });

  test.runIf(isLong)('goes on after a turn that gets no answer, and says so', async () => {
    await using service = await ScriptedService.start({ ...SCRIPT, turns: [{ heard: 'first' }] });
    const { exitCode, output } = await call(service, [await question('one.wav'), '--wait', '1']);
    expect(exitCode).toBe(3);
    expect(output).toContain('no answer  to one.wav');
  });

  test.runIf(isLong)('ends with the call when the assistant hangs up', async () => {
    await using service = await ScriptedService.start({ ...SCRIPT, endAfterTurns: 1 });
    const files = [await question('one.wav'), await question('two.wav')];
    const { exitCode, output } = await call(service, files);
    expect(exitCode).toBe(3);
    expect(output).toContain('The call ended before 1 of the recordings could be played.');
  });

  test('hangs up when it is interrupted', async () => {
    await using service = await ScriptedService.start(SCRIPT);
    const interrupt = new AbortController();
    const running = call(service, [await question('one.wav')], { signal: interrupt.signal });
    await expect.poll(() => service.sessions.length).toBe(1);
    interrupt.abort();
    await expect(running).rejects.toThrow(/abort/);
    await expect.poll(() => service.sessions[0]?.ended).toBe('user-hung-up');
  });

  test.runIf(isLong)(
    'an assistant from a file is made for the call and taken away after it',
    async () => {
      await using service = await ScriptedService.start({ ...SCRIPT, endAfterTurns: 1 });
      const file = join(dir, 'assistant.json');
      const faq = [{ question: 'When?', answer: 'Now.' }];
      await writeFile(file, JSON.stringify({ assistant: { name: 'Ada' }, faq }));
      const { output } = await call(service, [await question('one.wav'), '--assistant', file]);
      expect(output).toContain('Calling Ada');
      const made = service.requests.filter((request) => request.method !== 'GET');
      expect(made.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'POST /kb/v1/knowledge-bases',
        'POST /kb/v1/knowledge-bases/kb-1/faq-template',
        'POST /assistants/v1/assistants',
        'POST /calls/v1/conversations/connect',
        'DELETE /assistants/v1/assistants/made-for-the-call',
        'DELETE /kb/v1/knowledge-bases/kb-1',
      ]);
      expect(made[2]?.body).toEqual({
        name: 'Ada',
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: ['kb-1'],
      });
    },
  );

  test.each([
    ['a missing recording', ['nowhere.wav'], 'nowhere.wav: no such file'],
    ['a recording that is none', [import.meta.filename], 'not a WAV file'],
    ['an unknown assistant', ['--assistant', 'nobody'], '404 Assistant not found!'],
    ['a missing assistant file', ['--assistant', 'none.json'], 'none.json: no such file'],
  ])('%s is one clear line', async (_name, args, message) => {
    await using service = await ScriptedService.start(SCRIPT);
    const files = args[0]?.startsWith('--') ? [await question('one.wav')] : [];
    await expect(call(service, [...files, ...args])).rejects.toThrow(message);
  });

  test('reports a wrong key and an unreachable service', async () => {
    await using service = await ScriptedService.start(SCRIPT);
    const file = await question('one.wav');
    await expect(call(service, [file], { key: 'wrong' })).rejects.toThrow('401 Unauthorized');
    service.url = 'http://127.0.0.1:1';
    await expect(call(service, [file])).rejects.toThrow('http://127.0.0.1:1 cannot be reached');
  });
});
