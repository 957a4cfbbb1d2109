import type { z } from 'zod';
import { estimateReplay, replayCall } from '../../calls/what-if/replay-call.ts';
import { createReplayPool, replayCalls } from '../../calls/what-if/replay-calls.ts';
import type { AssistantConfig } from '../../contract/assistant.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ApiDeps } from '../deps.ts';
import { type Routing, serve } from '../route.ts';

interface WhatIfDeps extends Pick<ApiDeps, 'db' | 'modelOf' | 'prices'> {
  readonly assistantSchema: z.ZodType<AssistantConfig>;
  readonly steady: () => number;
}

export function whatIfRoutes(
  routing: Routing,
  operations: Contract['whatIf'],
  { db, modelOf, prices, assistantSchema, steady }: WhatIfDeps,
): void {
  const pool = createReplayPool();
  routing.app.addHook('onClose', async () => pool.close());
  const deps = { db, modelOf, prices, assistantSchema, pool, steady };

  serve(routing, operations.call, ({ teamId, params, body }) =>
    replayCall(deps, { teamId, id: params.id, change: body }),
  );

  serve(routing, operations.estimate, ({ teamId, params, body }) =>
    estimateReplay(deps, { teamId, id: params.id, change: body }),
  );

  serve(routing, operations.calls, async ({ teamId, body }) => {
    const { startDate, endDate, assistantId, limit, ...change } = body;
    return replayCalls(deps, {
      ...{ teamId, change, limit },
      ...(assistantId === undefined ? {} : { assistantId }),
      ...(startDate === undefined ? {} : { startDate: new Date(startDate) }),
      ...(endDate === undefined ? {} : { endDate: new Date(endDate) }),
    });
  });
}
