import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConditionReport, TestResult } from '../../src/contract/assistant-test-result.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { sharedService } from '../support/shared-service.ts';
import { transferAssistant, transferTests } from '../support/transfer-tests.ts';
import { unmetIn } from '../support/unmet.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PIZZA = join(ROOT, 'fixtures/assistant-tests/pizza-orders.json');

/** One order from the first word to the last, in words that the offline recogniser knows well. */
const ORDER = {
  model: [
    { tool: 'placeOrder', say: 'Thank you, your order is placed.' },
    {
      heard: 'order',
      say: 'A large one is nine euros, and the oven is hot. Shall I order it for you now?',
    },
    { heard: 'yes', call: { name: 'placeOrder', arguments: { pizza: 'margherita', count: 1 } } },
  ],
  tools: { placeOrder: [{ result: { ok: true } }] },
  tests: [
    {
      name: 'An order by voice',
      turns: [
        { say: 'I want to order a large pizza', expect: [{ contains: 'nine euros' }] },
        { say: 'Yes please', expect: [{ tool: 'placeOrder' }, { contains: 'order is placed' }] },
      ],
    },
  ],
};

/** A test machine does other things as well: with more callers at once it is late. */
const FEW = ['--at-once', '3'];

const WAIT_MS = 300_000;

interface Report {
  readonly conditions: readonly ConditionReport[];
  readonly all: Omit<ConditionReport, 'condition'>;
  readonly files: readonly { readonly file: string; readonly results: readonly TestResult[] }[];
}

describe('npm run assistant-test -- --spoken', () => {
  let dir: string;
  let service: Awaited<ReturnType<typeof sharedService>>;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'spoken-tests-'));
    await writeFile(join(dir, 'order.json'), JSON.stringify(ORDER));
    service = await sharedService();
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await rm(dir, { recursive: true });
  });

  const command = (...args: readonly string[]) =>
    commandOf(['order.json', '--assistant', PIZZA], args);

  async function commandOf(tested: readonly string[], args: readonly string[]) {
    // Left from another run, it would be taken for this one's.
    await rm(join(dir, 'out.json'), { force: true });
    const { promise, resolve: done } = Promise.withResolvers<string>();
    const given = [
      ...[...tested, '--json', 'out.json'],
      ...['--url', service.url, '--key', service.key, ...args],
    ];
    execFile(
      process.execPath,
      [join(ROOT, 'src/cli/assistant-test.ts'), ...given],
      { cwd: dir, env: bareEnvironment },
      (_error, stdout, stderr) => done(`${stdout}${stderr}`),
    );
    const output = await promise;
    const report = JSON.parse(await readFile(join(dir, 'out.json'), 'utf8')) as Report;
    return { output, report };
  }

  test(
    'a test is spoken in each condition that is named, and measured by ear',
    async () => {
      const names = ['clean', 'loss', 'telephone', 'interruptions'];
      const { output, report } = await command('--conditions', names.join(','), ...FEW);
      const { conditions } = report;
      expect(output).toMatch(/^condition +calls +passed +recognised +answered +heard p50/m);
      expect(conditions.map(({ condition }) => condition)).toEqual(names);
      const row = (name: string) => conditions.find(({ condition }) => condition === name);
      expect(row('clean'), output).toMatchObject({ calls: 1, answered: 1 });
      expect(row('clean')?.recognised, output).toBeGreaterThan(0.5);
      expect(row('clean')?.heardP50Ms).toBeGreaterThan(0);
      expect(row('interruptions')?.stopP50Ms, output).toBeGreaterThan(0);
      // What a condition takes away is for its row to tell.
      for (const { results } of report.files)
        for (const { status, reason } of results) expect(status, reason).not.toBe('broken');
    },
    WAIT_MS,
  );

  test(
    'callers telephone through the built-in carrier, and its tools are answered for the right call',
    async () => {
      const names = ['clean', 'telephone'];
      const { output, report } = await command(
        ...['--via', 'emulator', '--conditions', names.join(','), ...FEW],
      );
      for (const { results } of report.files) {
        for (const { status, reason } of results) expect(status, reason).not.toBe('broken');
        expect(results[0]?.transcript.length, output).toBeGreaterThan(2);
      }
      expect(report.all, output).toMatchObject({ calls: 2, answered: 1 });
    },
    WAIT_MS,
  );

  test.each([
    ['blind', 'web'],
    ['announced', 'emulator'],
    ['conversational', 'web'],
    ['conversational', 'emulator'],
  ] as const)(
    'operators are telephones at the built-in carrier: %s, callers by %s',
    async (mode, via) => {
      await writeFile(join(dir, 'desk.json'), JSON.stringify(transferAssistant(mode)));
      await writeFile(join(dir, 'transfers.json'), JSON.stringify(transferTests(mode)));
      const { output, report } = await commandOf(
        ['transfers.json', '--assistant', 'desk.json'],
        ['--via', via, '--conditions', 'clean', '--at-once', '2'],
      );
      expect(
        report.files.flatMap(({ results }) => unmetIn(results)),
        output,
      ).toEqual([]);
    },
    WAIT_MS,
  );

  test(
    'as a load the same callers call again and again, with the percentiles of all',
    async () => {
      const { output, report } = await command(
        '--calls',
        '6',
        '--conditions',
        'clean,telephone',
        ...FEW,
      );
      expect(report.all, output).toMatchObject({ calls: 6 });
      expect(report.conditions.map(({ calls }) => calls)).toEqual([3, 3]);
      const { heardP50Ms = 0, heardP99Ms = 0 } = report.all;
      expect(heardP99Ms).toBeGreaterThanOrEqual(heardP50Ms);
      expect(report.all.answered, output).toBeGreaterThan(0.5);
    },
    WAIT_MS,
  );
});
