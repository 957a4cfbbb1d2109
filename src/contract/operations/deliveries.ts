import { z } from 'zod';
import { IdSchema } from '../atoms.ts';
import { DeliveryListSchema, DeliverySchema } from '../delivery.ts';
import { operation } from '../operation.ts';
import { IdParamsSchema } from './parameters.ts';

const tag = 'Calls';
const path = '/calls/v1/conversations/{id}/deliveries';

export const deliveryOperations = {
  list: operation({
    id: 'listCallDeliveries',
    role: 'reviewer',
    method: 'GET',
    path,
    tag,
    summary: 'List the webhooks of a call with their attempts',
    params: IdParamsSchema,
    response: { status: 200, description: 'The webhooks.', schema: DeliveryListSchema },
    errors: ['missing'],
  }),
  redeliver: operation({
    id: 'redeliverCallDelivery',
    role: 'builder',
    method: 'POST',
    path: `${path}/{deliveryId}/redeliver`,
    tag,
    summary: 'Send a webhook again',
    description:
      'With the same `webhook-id`, at once and for another 24 hours, after earlier pending webhooks of the call. Rejected (409) while an attempt is in progress.',
    params: z.strictObject({ ...IdParamsSchema.shape, deliveryId: IdSchema }),
    response: { status: 200, description: 'The webhook, pending again.', schema: DeliverySchema },
    errors: ['missing', 'conflict'],
  }),
} as const;
