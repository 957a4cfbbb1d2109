import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '../../src/contract/errors.ts';
import { ComputeError } from '../../src/lib/compute-pool.ts';
import { TestReader } from '../../src/testing/test-reader.ts';
import { isLong } from '../support/effort.ts';

const SOURCE = 'tests:\n  - {name: Greeting, fromCall: WC-1, turns: [{say: Hello}]}\n';

let reader: TestReader;
beforeAll(() => {
  reader = new TestReader();
});
afterAll(() => reader.close());

test('texts are read, and the tests of some calls are taken out of them', async () => {
  const { signal } = new AbortController();
  const read = await reader.read(SOURCE, 'ada', signal);
  expect(read).toMatchObject({ ok: true, tests: [{ name: 'Greeting' }] });
  const without = (callIds: readonly string[]) =>
    reader.withoutCalls({ source: SOURCE, callIds }, 'ada', signal);
  expect(await without(['WC-1'])).toBeNull();
  expect(await without(['WC-2'])).toContain('name: Greeting');
});

test('a team with too many texts at once is told when to come again, and no other team waits for it', async () => {
  const many = Array.from({ length: 60 }, () => reader.read(SOURCE, 'ada'));
  const other = reader.read(SOURCE, 'eve');
  const outcomes = await Promise.allSettled(many);
  const refused = outcomes.flatMap((it) =>
    it.status === 'rejected' ? [it.reason as Problem] : [],
  );
  expect(refused.length).toBeGreaterThan(30);
  expect(refused.length).toBeLessThan(60);
  for (const problem of refused) {
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({
      ...{ kind: 'unavailable', retryAfterSeconds: 2 },
      message: 'Too many tests are being read at the moment',
    });
  }
  expect(await other).toMatchObject({ ok: true });
  expect(await reader.read(SOURCE, 'ada')).toMatchObject({ ok: true });
});

test.runIf(isLong)(
  'a text that takes too long names its field, and the next one is read',
  async () => {
    // Each key is compared with all before it: over a minute on a fast machine.
    const keys = Array.from({ length: 50_000 }, (_, i) => i.toString(36)).join(',');
    const long = `tests: {${keys}}`;
    await expect(reader.read(long, 'ada')).rejects.toMatchObject({
      kind: 'invalid',
      faults: [{ path: 'source', message: 'takes too long to read' }],
    });
    expect(await reader.read(SOURCE, 'ada')).toMatchObject({ ok: true });
  },
  60_000,
);

test('who gives up does not wait, and a reader that ends refuses', async () => {
  const gone = new AbortController();
  const reading = reader.read(SOURCE, 'ada', gone.signal);
  gone.abort();
  await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  const ending = new TestReader();
  const last = ending.read(SOURCE, 'ada');
  ending.close();
  await expect(last).rejects.toBeInstanceOf(ComputeError);
});
