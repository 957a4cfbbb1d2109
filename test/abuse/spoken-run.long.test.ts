import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestRun } from '../../src/client/api.generated.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

/** Computing longer than this at a stretch keeps the frames of every call waiting. */
const MAX_STRETCH_MS = 30;
/** Computed on a thread of low priority, which other tests keep waiting. */
const RUN_MS = 300_000;

let service: ServiceProcess;
let folder: string;
let assistantId: string;
const fileOf = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-spoken-run-'));
  service = await startTestService(folder, {
    LOOP_PROBE_FILE: fileOf('stretches'),
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'loop-probe.ts')).href}`,
    LOG_LEVEL: 'error',
  });
  const body = { name: 'Pizza', welcomeMessage: 'Pizza Roma.', assistantProvider: 'offline' };
  const made = await service.json<{ _id: string }>('/assistants/v1/assistants', {
    ...{ method: 'POST', body },
  });
  assistantId = made._id;
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function speak(waitSeconds: number, conditions: readonly string[]): Promise<TestRun> {
  const turns = [{ say: 'I want to order a large pizza' }, { waitSeconds }, { say: 'Yes please' }];
  const source = JSON.stringify({
    model: [{ heard: 'order', say: 'A large one is nine euros.' }],
    tests: [{ name: 'A long call', turns }],
  });
  const { id } = await service.json<TestRun>('/tests/v1/runs', {
    method: 'POST',
    body: { assistantId, source, seed: 3, spoken: { conditions } },
  });
  const run = () => service.json<TestRun>(`/tests/v1/runs/${id}`);
  // Rarely, since asking is work of the thread that is measured.
  const rarely = { timeout: RUN_MS, interval: 1000 };
  await expect.poll(async () => (await run()).status, rarely).toBe('finished');
  return run();
}

test(
  'long calls of a test that is spoken are not computed on the thread that carries sound',
  async () => {
    await speak(1, ['clean']);
    await writeFile(fileOf('stretches'), '');
    const { results } = await speak(20, ['babble', 'telephone']);
    const spokenMs = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
    expect(results.map(({ status }) => status)).toEqual(Array(2).fill('passed'));
    expect(spokenMs).toBeGreaterThan(40_000);
    const stretches = (await readFile(fileOf('stretches'), 'utf8')).split('\n').filter(Boolean);
    const worstMs = Math.max(0, ...stretches.map((line) => Number(line.split(' ')[1])));
    expect(worstMs).toBeLessThan(MAX_STRETCH_MS);
  },
  2 * RUN_MS,
);
