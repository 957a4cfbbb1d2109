import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import { eventually } from '../support/eventually.ts';
import { recordedConversation } from '../support/recorded-conversation.ts';
import { runCommand } from '../support/run-command.ts';
import { dial } from '../support/service-call.ts';
import { sharedService } from '../support/shared-service.ts';

const MINUTE = { timeout: 60_000 };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-commands-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (file: string, args: readonly string[], env = {}) =>
  runCommand(file, args, { cwd: folder, env });
const write = async (name: string, text: string) => {
  await writeFile(join(folder, name), text);
  return name;
};
const journal = (lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('parley', MINUTE, () => {
  test('lists its commands, says its version, and refuses what it does not know', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    const help = await run('run-command.ts', ['--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    for (const name of ['start', 'call', 'replay', 'trace', 'backup', 'restore', 'audit-log'])
      expect(help.out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(await run('run-command.ts', ['-v'])).toMatchObject({ code: 0, out: `${version}\n` });
    const unknown = await run('run-command.ts', ['toString']);
    expect(unknown).toMatchObject({
      code: 2,
      err: 'There is no command toString; parley --help shows all.\n',
    });
    // The command gets the arguments behind its name.
    const replay = await run('run-command.ts', ['replay', '--help']);
    expect(replay).toMatchObject({ code: 0, out: expect.stringMatching(/^Runs a recorded call/) });
  });
});

describe('replay', MINUTE, () => {
  test('of a journal in a file says that every decision is the same, or which are not', async () => {
    const lines = recordedConversation();
    const whole = await write('whole.ndjson', journal(lines));
    const same = await run('replay.ts', [whole]);
    expect(same).toMatchObject({ code: 0, err: '' });
    expect(same.out).toMatch(/decisions recorded[\s\S]*Every decision is the same\.\n$/);

    const others = lines.map((line) =>
      line.type === 'call.created' ? { ...line, data: { ...line.data, engineVersion: '1' } } : line,
    );
    const changed = journal(others).replaceAll('"uttId":1,', '"uttId":99,');
    const differs = await run('replay.ts', [await write('changed.ndjson', changed)]);
    expect(differs).toMatchObject({ code: 3, err: '' });
    expect(differs.out).toMatch(/by engine 1\n[\s\S]*The engine has changed since/);
    expect(differs.out).toMatch(/\ndecision \d+\n {2}- .*\n {2}\+ .*\n/);
  });

  test('of a journal with a change shows what would have happened', async () => {
    const file = await write('call.ndjson', journal(recordedConversation()));
    const patch = await write('slow.json', '{"startSpeakingOptions":{"waitSeconds":1.5}}');
    const table = await run('replay.ts', [file, '--with', patch]);
    expect(table).toMatchObject({ code: 0, err: '' });
    expect(table.out).toMatch(/gap p50 +\d+ ms +1500 ms/);
    const json = await run('replay.ts', [file, '--fail', 'look_up=full', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ replayed: { toolsFailed: 1 } });
  });

  test.each([
    [['--nonsense'], 2, "Unknown option '--nonsense' (--help shows all)"],
    [[], 2, 'name one journal file or call id (--help shows all)'],
    [['a', 'b'], 2, 'name one journal file or call id (--help shows all)'],
    [['nowhere.ndjson'], 2, 'there is no file nowhere.ndjson, and it is no call id'],
    [['WC-1'], 2, 'an API key is needed: --key or API_KEY'],
    [['--since', '2026-01-01', 'WC-1'], 2, '--since takes no journal and no call id'],
    [['broken.ndjson'], 1, 'line 2 of the journal is no JSON'],
    [['headless.ndjson'], 1, 'call.created'],
    [['good.ndjson', '--fail', 'a', '--ask-model'], 2, '--ask-model needs a call of the service'],
    [['good.ndjson', '--with', 'a1@2'], 2, 'a version of an assistant needs a call of the service'],
  ])('%j is refused with exit code %i and a sentence', async (args, code, sentence) => {
    const lines = recordedConversation();
    await write('good.ndjson', journal(lines));
    await write('broken.ndjson', `${JSON.stringify(lines[0])}\n{"seq":`);
    await write('headless.ndjson', journal(lines.slice(1)));
    const refused = await run('replay.ts', args);
    expect([refused.code, refused.out]).toEqual([code, '']);
    expect(refused.err).toContain(sentence);
    expect(refused.err).not.toMatch(/\n {4}at /);
  });
});

test(
  'a call of the service is replayed as it was, with a change, among others, and traced',
  MINUTE,
  async () => {
    await using service = await sharedService();
    const [guide] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
    const startedAt = new Date().toISOString();
    const { caller, id, said } = await dial(service, { assistantId: guide?._id });
    await eventually(() => expect(said).toHaveLength(1));
    caller.hangup();
    await caller.ended;
    caller.close();
    const read = () => service.json<{ status: string }>(`/calls/v1/conversations/${id}`);
    await eventually(async () => expect((await read()).status).toBe('finished'));

    const at = ['--url', service.url, '--key', service.key];
    const same = await run('replay.ts', [id, ...at]);
    expect(same).toMatchObject({ code: 0, err: '' });
    expect(same.out).toContain('Every decision is the same.');
    const patch = await write('welcome.json', '{"startSpeakingOptions":{"waitSeconds":1}}');
    const changed = await run('replay.ts', [id, '--with', patch, '--json', ...at]);
    expect(JSON.parse(changed.out)).toMatchObject({ callId: id });
    const all = await run('replay.ts', [
      '--since',
      startedAt,
      '--limit',
      '5',
      '--with',
      patch,
      ...at,
    ]);
    expect(all).toMatchObject({ code: 0, err: '' });
    expect(all.out).toMatch(/^1 calls: /);
    const none = await run('replay.ts', ['WC-nobody', ...at]);
    expect(none).toMatchObject({ code: 1, out: '' });
    expect(none.err).toMatch(/not found/i);

    const traced = await run('trace.ts', [id, '--out', 'trace.json', ...at]);
    expect(traced.out).toMatch(/^\d+ spans in trace\.json\n$/);
    expect(await readFile(join(folder, 'trace.json'), 'utf8')).toContain('resourceSpans');
    for (const [args, sentence] of [
      [['--nonsense'], "Unknown option '--nonsense'"],
      [[], 'name one journal file or call id'],
    ] as const) {
      const refused = await run('trace.ts', args);
      expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
    }
    const [, ...rest] = recordedConversation();
    const headless = await run('trace.ts', [await write('rest.ndjson', journal(rest))]);
    expect(headless).toMatchObject({
      code: 1,
      err: 'the journal lacks its first line, call.created\n',
    });
  },
);

describe('backup and restore', MINUTE, () => {
  test.each(['backup', 'restore'])(
    '%s explains itself and refuses what it does not understand',
    async (name) => {
      const file = `${name}.ts`;
      const help = await run(file, ['--help']);
      expect(help).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringContaining('Exit code: 0 done'),
      });
      expect(help.out).toContain(`npm run ${name} --`);
      for (const [args, sentence] of [
        [[], 'name one folder'],
        [['a', 'b'], 'name one folder'],
        [['a', '--nonsense'], "Unknown option '--nonsense'"],
      ] as const) {
        const err = `${name}: ${sentence}`;
        const refused = await run(file, args);
        expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(err) });
      }
      const setting = await run(file, ['a'], { PORT: 'many' });
      expect(setting).toMatchObject({ code: 1, out: '', err: expect.stringContaining('PORT') });
    },
  );
});

describe('vendor-check', MINUTE, () => {
  test('says which vendors work, and fails if one does not or there is none', async () => {
    await using model = await startChatEmulator({ apiKey: 'right' });
    await using voice = await startCartesiaEmulator();
    model.script({ deltas: ['Hello.'] });
    const env = {
      ...{ DEEPSEEK_API_KEY: 'right', DEEPSEEK_BASE_URL: model.baseUrl },
      ...{ CARTESIA_API_KEY: 'k', CARTESIA_BASE_URL: voice.baseUrl },
    };
    const good = await run('vendor-check.ts', [], env);
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out).toMatch(/model.*deepseek.*true/);
    expect(good.out).toMatch(/voice.*cartesia.*true/);
    const bad = await run('vendor-check.ts', [], { ...env, DEEPSEEK_API_KEY: 'wrong-and-secret' });
    expect(bad.code).toBe(1);
    expect(bad.out).toMatch(/model.*deepseek.*false/);
    expect(bad.out + bad.err).not.toContain('wrong-and-secret');
    const none = await run('vendor-check.ts', []);
    expect(none).toMatchObject({ code: 1, out: expect.stringContaining('No vendor has a key') });
  });

  test('explains itself, and refuses other words and settings that are wrong', async () => {
    const help = await run('vendor-check.ts', ['--help']);
    expect(help).toMatchObject({
      code: 0,
      out: expect.stringContaining('Exit code: 0 all of them'),
    });
    const wrong = await run('vendor-check.ts', ['openai']);
    expect(wrong).toMatchObject({ code: 2, out: '', err: help.out });
    const setting = await run('vendor-check.ts', [], { PORT: 'many' });
    expect(setting).toMatchObject({ code: 1, err: expect.stringMatching(/^PORT|PORT: /m) });
    expect(setting.err).not.toMatch(/\n {4}at /);
  });
});
