import { SpentBudget } from '../calls/models/budget.ts';
import { refuseUncapped } from '../calls/models/refuse-uncapped.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import { Problem } from '../contract/errors.ts';
import type { Prices } from '../contract/prices.ts';
import type { JudgementInput, JudgementView } from '../contract/test-suite.ts';
import type { SchemaChecker } from '../lib/schema-checker.ts';
import type { Llm } from '../ports/llm.ts';
import type { VendorMeter } from '../ports/vendor-meter.ts';
import { getCall } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { listMessages } from '../store/messages.ts';
import { CallUsage } from '../telemetry/call-usage.ts';
import { judgeCondition } from './conditions.ts';
import { estimateJudgement } from './estimate.ts';
import { judgeOf } from './judge.ts';

interface Deps {
  readonly db: Db;
  readonly prices: Prices | undefined;
  readonly schemas: SchemaChecker;
  readonly modelOf: (assistant: AssistantConfig, teamId: string, meter: VendorMeter) => Llm;
}

const LONGEST_MS = 90_000;
const NOTHING = { said: '', tools: [], transfers: [], answersMs: [], endReason: undefined };

/** Has a model say whether a statement about an ended call holds. Throws Problem if it may not be asked. */
export async function judgeCall(
  { db, prices, schemas, modelOf }: Deps,
  { teamId, input }: { readonly teamId: string; readonly input: JudgementInput },
): Promise<JudgementView> {
  const { statement, judge, budget: wanted } = input;
  const { id: callId, endAt, snapshot } = await getCall(db, { teamId, id: input.callId });
  if (!endAt) throw new Problem({ kind: 'conflict', message: 'The call has not ended' });
  const messages = await listMessages(db, { callId });
  const chars = messages.reduce((sum, { text }) => sum + text.length, 0);
  refuseUncapped(estimateJudgement(chars, { judge, prices }), wanted);
  const usage = new CallUsage();
  const budget = new SpentBudget(wanted, prices, () => usage.lines());
  const { provider: assistantProvider, model: assistantModel } = judge;
  const assistant = { ...snapshot.assistant, assistantProvider, assistantModel };
  const asks = judgeOf(() => budget.limit(modelOf(assistant, teamId, usage)), messages, {
    ...{ schemas, team: teamId },
    // Of a client that has gone nothing is known here; the model is asked for no longer than this.
    signal: AbortSignal.timeout(LONGEST_MS),
  });
  const { verdict, detail } = await judgeCondition({ judge: statement }, NOTHING, asks);
  const { tokens, cost } = budget;
  return {
    verdict,
    ...(detail === undefined ? {} : { reason: detail }),
    tokens,
    ...(cost && tokens > 0 ? { cost } : {}),
  };
}
