import type { FastifyInstance } from 'fastify';
import { keptFor } from '../lib/kept-for.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ServiceNode } from './node.ts';

interface HealthDeps {
  /** False while starting and draining. */
  readonly ready: () => boolean;
  /** Rejects when the store does not answer. */
  readonly ping: () => Promise<void>;
  /** True if recordings and files cannot be written for want of space. */
  readonly isDiskFull: () => Promise<boolean>;
  readonly metrics: Metrics;
  readonly node: Pick<ServiceNode, 'bus' | 'siblings'>;
  /** Monotonic ms. @defaultValue the process's */
  readonly steady?: () => number;
}

/** Adds `/livez`, `/readyz` and `/metrics`. They need no key, since they show no data of any team. */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  const { ready, ping, isDiskFull } = deps;
  const expose = metricsOfService(deps);
  const quiet = { logLevel: 'warn' } as const;
  app.get('/livez', quiet, async () => ({ status: 'alive' }));
  app.get('/readyz', quiet, async (_request, reply) => {
    const unready = (status: string) => reply.code(503).header('retry-after', '1').send({ status });
    if (!ready()) return unready('not ready');
    try {
      await ping();
    } catch {
      return unready('store unavailable');
    }
    // Calls are still taken here, but those that another node can record should go there.
    return (await isDiskFull()) ? unready('disk full') : { status: 'ready' };
  });
  app.get('/metrics', quiet, async (_request, reply) => {
    const { body, contentType } = await expose();
    return reply.type(contentType).send(body);
  });
}

const METRICS = 'metrics';
const ASK_MS = 1_000;
/** To gather them takes some milliseconds of the thread that carries sound, and whoever asks needs no key. */
const KEPT_MS = 250;

/** The metrics of all processes of the service, whichever is asked; one that does not answer is left out. */
function metricsOfService({
  metrics,
  node: { bus, siblings },
  steady = () => performance.now(),
}: Pick<HealthDeps, 'metrics' | 'node' | 'steady'>): () => ReturnType<Metrics['expose']> {
  bus.answer(METRICS, () => metrics.figures());
  return keptFor(KEPT_MS, steady, async () => {
    const asked = siblings().map((id) => bus.ask(id, METRICS, null, { timeoutMs: ASK_MS }));
    const answers = await Promise.allSettled(asked);
    return metrics.expose(
      answers.flatMap((one) =>
        one.status === 'fulfilled' ? [one.value as readonly object[]] : [],
      ),
    );
  });
}
