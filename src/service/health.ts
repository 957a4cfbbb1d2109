import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../telemetry/metrics.ts';

interface HealthDeps {
  /** False while starting and draining. */
  readonly ready: () => boolean;
  /** Rejects when the store does not answer. */
  readonly ping: () => Promise<void>;
  readonly metrics: Pick<Metrics, 'expose'>;
}

/** The endpoints that watch over the process; open to everyone, as they tell nothing of anyone. */
export function registerHealth(app: FastifyInstance, { ready, ping, metrics }: HealthDeps): void {
  const quiet = { logLevel: 'warn' } as const;
  app.get('/livez', quiet, async () => ({ status: 'alive' }));
  app.get('/readyz', quiet, async (_request, reply) => {
    if (!ready()) return reply.code(503).header('retry-after', '1').send({ status: 'not ready' });
    try {
      await ping();
      return { status: 'ready' };
    } catch {
      return reply.code(503).header('retry-after', '1').send({ status: 'store unavailable' });
    }
  });
  app.get('/metrics', quiet, async (_request, reply) => {
    const { body, contentType } = await metrics.expose();
    return reply.type(contentType).send(body);
  });
}
