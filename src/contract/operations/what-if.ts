import { z } from 'zod';
import { assistantConfigSchema } from '../assistant.ts';
import { mergePatchSchema } from '../merge-patch.ts';
import { operation } from '../operation.ts';
import { BudgetSchema, ModelEstimateSchema } from '../test-suite.ts';
import type { VendorCatalogue } from '../vendors.ts';
import {
  ComparisonSchema,
  CutInReactionSchema,
  InsteadSchema,
  ToolChangesSchema,
  WhatIfTableSchema,
} from '../what-if.ts';
import { IdParamsSchema, instant } from './parameters.ts';

const path = '/calls/v1/conversations';

/** Calls that one request replays. */
export const MAX_WHAT_IF_CALLS = 200;

export function whatIfOperations(vendors: VendorCatalogue) {
  const change = {
    instead: InsteadSchema.optional().describe(
      'A version of an assistant that answers instead of the one that the call had; `assistant` then changes this one.',
    ),
    assistant: mergePatchSchema(assistantConfigSchema(vendors))
      .optional()
      .describe(
        'What of the assistant is otherwise: a merge patch, as `updateAssistant` takes it.',
      ),
    tools: ToolChangesSchema.optional().describe('Tools that answer otherwise, by name.'),
    caller: CutInReactionSchema.default('speaks-on').describe(
      'What the caller does who is answered before they have said all.',
    ),
  };
  return {
    call: operation({
      id: 'replayCall',
      role: 'builder',
      method: 'POST',
      path: `${path}/{id}/what-if`,
      tag: 'Calls',
      summary: 'Replay an ended call with a change',
      description:
        'The recorded events are played until the first decision that differs. From there the caller says what they said, by the rules of turn-taking; tools and the model answer as they did to the same questions. Nothing is said, called or stored.',
      params: IdParamsSchema,
      body: z
        .strictObject({
          ...change,
          askModel: z
            .boolean()
            .default(false)
            .describe(
              'The assistant’s model answers what it was not asked in the recorded call, 40 times at most. It is paid like any other request.',
            ),
          budget: BudgetSchema.default({}).describe(
            'The model is asked no more when it is spent. Needed where a vendor’s model is asked; `cost` needs its price.',
          ),
        })
        .meta({ title: 'WhatIfInput' }),
      response: { status: 200, description: 'Both calls, turn by turn.', schema: ComparisonSchema },
      errors: ['invalid', 'missing', 'conflict', 'vendor'],
    }),
    estimate: operation({
      id: 'estimateReplay',
      role: 'builder',
      method: 'POST',
      path: `${path}/{id}/what-if/estimate`,
      tag: 'Calls',
      summary: 'Estimate what asking the model in a replay costs',
      description:
        'Replays the call without a model, and counts what it would be asked. Its answers may lead to more requests or fewer, 40 at most.',
      params: IdParamsSchema,
      body: z.strictObject(change).meta({ title: 'WhatIfChange' }),
      response: { status: 200, description: 'The estimate.', schema: ModelEstimateSchema },
      errors: ['invalid', 'missing', 'conflict'],
    }),
    calls: operation({
      id: 'replayCalls',
      role: 'builder',
      method: 'POST',
      path: `${path}/what-if`,
      tag: 'Calls',
      summary: 'Replay many ended calls with a change',
      description: `The latest calls that match, ${MAX_WHAT_IF_CALLS} at most, and what they come to together.`,
      body: z
        .strictObject({
          ...change,
          startDate: instant('00:00:00.000Z').optional(),
          endDate: instant('23:59:59.999Z').optional(),
          assistantId: z.string().max(500).optional(),
          limit: z.int().min(1).max(MAX_WHAT_IF_CALLS).default(100),
        })
        .meta({ title: 'WhatIfCallsInput' }),
      response: { status: 200, description: 'The calls.', schema: WhatIfTableSchema },
      errors: ['invalid', 'missing'],
    }),
  } as const;
}
