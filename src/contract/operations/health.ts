import { HealthSchema } from '../health.ts';
import { operation } from '../operation.ts';

export const healthOperations = {
  get: operation({
    id: 'getHealth',
    role: 'builder',
    method: 'GET',
    path: '/health/v1/health',
    tag: 'Health',
    summary: 'See what is wrong now, and what to do about it',
    description:
      'Vendors, carriers, webhooks, jobs and processes, from what the service knows already: no vendor and no carrier is asked.',
    response: { status: 200, description: 'The state of each part.', schema: HealthSchema },
    errors: [],
  }),
} as const;
