import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerHealth } from '../../src/service/health.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

test('metrics are gathered once for all who ask within a quarter of a second', async () => {
  const app = Fastify();
  const metrics = createMetrics(() => 0);
  let now = 0;
  let gathered = 0;
  const expose = () => {
    gathered++;
    return metrics.expose();
  };
  registerHealth(app, {
    ready: () => true,
    ping: async () => undefined,
    isDiskFull: async () => false,
    metrics: { ...metrics, expose },
    node: { bus: { answer: () => undefined } as never, siblings: () => [] },
    steady: () => now,
  });
  const ask = async () => (await app.inject('/metrics')).body;
  const [one, other] = await Promise.all([ask(), ask()]);
  metrics.callStarted();
  now = 249;
  const third = await ask();
  expect([other, third]).toEqual([one, one]);
  expect(gathered).toBe(1);
  now = 250;
  expect(await ask()).toContain('parley_calls_started_total 1');
  expect(gathered).toBe(2);
  metrics.close();
  await app.close();
});
