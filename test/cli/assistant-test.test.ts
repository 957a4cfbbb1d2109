import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestResult } from '../../src/contract/assistant-test-result.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { isLong, rowsOf } from '../support/effort.ts';
import { sharedService } from '../support/shared-service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SAMPLES = join(ROOT, 'fixtures/assistant-tests');

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Report {
  readonly files: readonly { readonly results: readonly TestResult[] }[];
}

describe('npm run assistant-test', () => {
  let dir: string;
  let service: Awaited<ReturnType<typeof sharedService>>;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assistant-test-'));
    service = await sharedService();
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await rm(dir, { recursive: true });
  });

  /** The command as a user runs it who has a service. */
  const command = (...args: readonly string[]): Promise<Ran> =>
    offline(...args, '--url', service.url, '--key', service.key);

  /** As one runs it who has none: it starts one for its run. */
  function offline(...args: readonly string[]): Promise<Ran> {
    const { promise, resolve: done } = Promise.withResolvers<Ran>();
    execFile(
      process.execPath,
      [join(ROOT, 'src/cli/assistant-test.ts'), ...args],
      { cwd: dir, env: bareEnvironment },
      (error, stdout, stderr) => {
        done({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
    return promise;
  }

  const read = async (name: string) => readFile(join(dir, name), 'utf8');
  const report = async (name: string) => JSON.parse(await read(name)) as Report;
  const unmetOf = ({ files }: Report) =>
    files.flatMap(({ results }) =>
      results.flatMap(({ name, conditions }) =>
        conditions
          .filter(({ verdict }) => verdict === 'unmet')
          .map(({ turn = 'call', condition }) => `${name}, ${turn}: ${condition}`),
      ),
    );

  test.each(rowsOf({ usual: ['pizza-orders'], long: ['speech-guide'] }))(
    '%s: all pass offline, twice byte for byte',
    async (name) => {
      const args = [join(SAMPLES, `${name}.yaml`), '--assistant', join(SAMPLES, `${name}.json`)];
      for (const run of ['one', 'two']) {
        const written = ['--json', `${name}-${run}.json`, '--junit', `${name}-${run}.xml`];
        const ran = await command(...args, ...written, '--seed', '7');
        expect(ran).toMatchObject({
          exitCode: 0,
          stdout: expect.stringMatching(/(\d+) of \1 passed/),
        });
      }
      expect(await read(`${name}-one.json`)).toBe(await read(`${name}-two.json`));
      expect(await read(`${name}-one.xml`)).toBe(await read(`${name}-two.xml`));
    },
  );

  test.runIf(isLong)(
    'a broken prompt fails where its instructions were relied on, and nowhere else',
    async () => {
      const config = JSON.parse(await readFile(join(SAMPLES, 'pizza-orders.json'), 'utf8'));
      config.assistant.assistantSystemPrompt = 'You take orders for a pizzeria.';
      // Tools have their names once in a team.
      await writeFile(join(dir, 'broken.json'), JSON.stringify(config));
      const tests = join(SAMPLES, 'pizza-orders.yaml');
      const ran = await command(
        tests,
        '--assistant',
        'broken.json',
        '--json',
        'broken-out.json',
        '--junit',
        'broken.xml',
      );
      expect(ran.exitCode).toBe(1);
      expect(unmetOf(await report('broken-out.json'))).toEqual([
        'An order is looked up by its number, 1: says “order number”',
        'No time is promised while the tool is down, 2: never says “five minutes”',
        'No time is promised while the tool is down, 2: says “call again”',
        'The price comes before the order, 1: says “nine euros”',
        'The price comes before the order, 1: does not call placeOrder',
        "Nothing is ordered against the caller's will, call: does not call placeOrder",
        'Somebody who talks over the answer is heard, 2: says “nine euros”',
      ]);
      expect(await read('broken.xml')).toContain('<failure message="turn 1: says “order number”');
    },
  );

  test.runIf(isLong)('a version by its label is tested, and not the published one', async () => {
    const at = '/assistants/v1/assistants';
    const method = 'POST';
    const body = { name: 'Desk', assistantProvider: 'offline', welcomeMessage: 'Good day.' };
    const { _id } = await service.json<{ _id: string }>(at, { method, body });
    const changes = { welcomeMessage: 'Hotel Aurora.' };
    await service.json(`${at}/${_id}/versions`, { method, body: { changes } });
    const label = { method: 'PUT', body: { version: 2 } };
    await service.json(`${at}/${_id}/labels/next`, label);
    const tests = 'tests: [{name: Greeting, turns: [{say: Hello}], expect: [{contains: Aurora}]}]';
    await writeFile(join(dir, 'greeting.yaml'), tests);
    const exitCode = async (assistant: string) =>
      (await command('greeting.yaml', '--assistant', assistant)).exitCode;
    expect(await exitCode(`${_id}@next`)).toBe(0);
    expect(await exitCode(_id)).toBe(1);
    const gone = await command('greeting.yaml', '--assistant', `${_id}@9`);
    expect(gone.stderr).toContain('The assistant has no such version!');
  });

  test.runIf(isLong)(
    'what nobody answers breaks a test, and what nobody judges is not passed',
    async () => {
      await writeFile(
        join(dir, 'unanswered.yaml'),
        [
          'model:',
          '  - {tool: lookUpOrder, say: Well.}',
          '  - {heard: order, call: {name: lookUpOrder, arguments: {number: "1"}}}',
          '  - {heard: hello, say: Fine.}',
          'tests:',
          '  - {name: Unanswered, turns: [{say: My order}]}',
          '  - {name: Judged, turns: [{say: Hello, expect: [{judge: It is friendly.}]}]}',
        ].join('\n'),
      );
      const assistant = join(SAMPLES, 'pizza-orders.json');
      const ran = await command('unanswered.yaml', '--assistant', assistant);
      expect(ran.exitCode).toBe(1);
      expect(ran.stdout).toMatch(/! Unanswered +broken/);
      expect(ran.stdout).toContain('the tool lookUpOrder was called, and the test does not say');
      expect(ran.stdout).toMatch(/\? Judged +not-judged/);
      expect(ran.stdout).toContain('the offline responder cannot judge');
    },
  );

  test('tests that do not parse name file, line and field, and nothing runs', async () => {
    await writeFile(join(dir, 'bad.yaml'), 'tests:\n  - name: a\n    turns: [{sey: Hello}]\n');
    const ran = await command('bad.yaml', '--assistant', join(SAMPLES, 'speech-guide.json'));
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('bad.yaml:3:14: tests.0.turns.0.sey unknown field');
  });

  test.runIf(isLong)(
    'docs/testing-assistants.md: its sample is red, and green with the missing answer',
    async () => {
      const page = await readFile(join(ROOT, 'docs/testing-assistants.md'), 'utf8');
      const block = (name: string) => {
        const found = new RegExp(`<!-- ${name} -->\\n\`\`\`\\w*\\n([\\s\\S]*?)\`\`\``).exec(page);
        expect(found, name).not.toBeNull();
        return found?.[1] ?? '';
      };
      await writeFile(join(dir, 'hotel.yaml'), block('sample: hotel.yaml'));
      const config = JSON.parse(block('sample: hotel.json'));
      await writeFile(join(dir, 'hotel.json'), JSON.stringify(config));
      const red = await offline('hotel.yaml', '--assistant', 'hotel.json');
      expect(red.exitCode).toBe(1);
      const rows = red.stdout.split('\n').filter((line) => /^[✓✗]/.test(line));
      expect(`${rows.join('\n')}\n`).toBe(block('output: red'));
      config.faq.push(JSON.parse(block('sample: faq')));
      await writeFile(join(dir, 'hotel.json'), JSON.stringify(config));
      const green = await command('hotel.yaml', '--assistant', 'hotel.json');
      expect(green).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('2 of 2 passed'),
      });
    },
  );
});
