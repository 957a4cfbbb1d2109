import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../telemetry/metrics.ts';

interface HealthDeps {
  /** False while starting and draining. */
  readonly ready: () => boolean;
  /** Rejects when the store does not answer. */
  readonly ping: () => Promise<void>;
  /** Whether there is no room for recordings and files. */
  readonly isDiskFull: () => Promise<boolean>;
  readonly metrics: Pick<Metrics, 'expose'>;
}

/** The endpoints that watch over the process; open to everyone, as they tell nothing of anyone. */
export function registerHealth(
  app: FastifyInstance,
  { ready, ping, isDiskFull, metrics }: HealthDeps,
): void {
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
    // Calls are still taken: where others can record them, they should go there.
    return (await isDiskFull()) ? unready('disk full') : { status: 'ready' };
  });
  app.get('/metrics', quiet, async (_request, reply) => {
    const { body, contentType } = await metrics.expose();
    return reply.type(contentType).send(body);
  });
}
