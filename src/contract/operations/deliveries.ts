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
    method: 'GET',
    path,
    tag,
    summary: "List what the assistant's server was told of a call, and every try",
    params: IdParamsSchema,
    response: { status: 200, description: 'The messages.', schema: DeliveryListSchema },
    errors: ['missing'],
  }),
  redeliver: operation({
    id: 'redeliverCallDelivery',
    method: 'POST',
    path: `${path}/{deliveryId}/redeliver`,
    tag,
    summary: 'Send a message again',
    description:
      'Under the same `webhook-id`, at once and for another 24 hours, after those of the call that are still pending before it. Refused (409) while a try is under way.',
    params: z.strictObject({ ...IdParamsSchema.shape, deliveryId: IdSchema }),
    response: { status: 200, description: 'The message, pending.', schema: DeliverySchema },
    errors: ['missing', 'conflict'],
  }),
} as const;
