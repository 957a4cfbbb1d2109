import type { Contract } from '../../contract/contract.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { missing, Problem } from '../../contract/errors.ts';
import { getCall } from '../../store/calls.ts';
import { type DeliveryLog, listDeliveries, redeliver } from '../../store/deliveries.ts';
import type { ApiDeps } from '../deps.ts';
import { serveList } from '../list-route.ts';
import { portionsOf } from '../portions.ts';
import { type Routing, serve } from '../route.ts';

export function deliveryRoutes(
  routing: Routing,
  operations: Contract['deliveries'],
  { db, onRedeliver, now }: Pick<ApiDeps, 'db' | 'onRedeliver'> & { readonly now: () => number },
): void {
  serveList(routing, operations.list, async ({ teamId, params }) => {
    const { id: callId } = await getCall(db, { teamId, id: params.id });
    const deliveries = await listDeliveries(db, { callId });
    return { name: 'deliveries', portions: portionsOf(deliveries), present: presentDelivery };
  });

  serve(routing, operations.redeliver, async ({ teamId, params }) => {
    const { id: callId } = await getCall(db, { teamId, id: params.id });
    const one = { callId, id: params.deliveryId };
    if (!(await redeliver(db, { ...one, now: new Date(now()) }))) {
      const message = 'The message is being sent at the moment; see what comes of it';
      throw new Problem({ kind: 'conflict', message });
    }
    onRedeliver?.();
    const [delivery] = await listDeliveries(db, one);
    if (!delivery) throw missing('delivery');
    return presentDelivery(delivery);
  });
}

function presentDelivery(delivery: DeliveryLog): Delivery {
  const { id, kind, status, createdAt, settledAt, nextAttemptAt } = delivery;
  return {
    id,
    type: kind,
    status,
    createdAt: createdAt.toISOString(),
    ...(settledAt ? { settledAt: settledAt.toISOString() } : {}),
    ...(status === 'pending' ? { nextAttemptAt: nextAttemptAt.toISOString() } : {}),
    attempts: delivery.log.map(({ at, latencyMs, httpStatus, error, response }) => ({
      at: at.toISOString(),
      latencyMs,
      ...(httpStatus === null ? {} : { status: httpStatus }),
      ...(error === null ? {} : { error }),
      ...(response === null ? {} : { response }),
    })),
  };
}
