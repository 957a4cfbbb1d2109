import type { Metrics } from '../telemetry/metrics.ts';
import type { ServiceNode } from './node.ts';

const METRICS = 'metrics';
const ASK_MS = 1_000;

/** The figures of the whole service, whichever of its processes is asked; one that is silent is left out. */
export function createServiceMetrics(
  metrics: Metrics,
  { bus, siblings }: Pick<ServiceNode, 'bus' | 'siblings'>,
): Pick<Metrics, 'expose'> {
  bus.answer(METRICS, () => metrics.figures());
  return {
    async expose() {
      const asked = siblings().map((id) => bus.ask(id, METRICS, null, { timeoutMs: ASK_MS }));
      const answers = await Promise.allSettled(asked);
      return metrics.expose(
        answers.flatMap((one) =>
          one.status === 'fulfilled' ? [one.value as readonly object[]] : [],
        ),
      );
    },
  };
}
