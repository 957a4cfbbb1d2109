import { applyOverrides } from '../contract/apply-overrides.ts';
import type { CallSnapshot } from '../contract/call-snapshot.ts';
import { newCallId } from '../lib/ids.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import { findAssistant } from '../store/assistants.ts';
import { type CallRecord, createCall, finishCall } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { snapshotTools } from '../store/snapshot-tools.ts';
import type { TelephoneDeps } from './deps.ts';
import type { NumberLine } from './number-account.ts';

type Arrival = Extract<CarrierEvent, { type: 'call-arrived' }>;

/**
 * Makes the record of a call that arrives for a number; undefined when its assistant can't take it. A call
 * whose vendors can't serve is recorded and over: nobody is answered with silence.
 */
export async function recordArrival(
  deps: Pick<TelephoneDeps, 'db' | 'checkAssistant' | 'nodeId' | 'providers'>,
  params: { readonly line: NumberLine; readonly arrival: Arrival; readonly baseUrl: string },
): Promise<CallRecord | undefined> {
  const { db, checkAssistant, nodeId, providers } = deps;
  const { line, arrival, baseUrl } = params;
  const { teamId, assistantId, id: numberId } = line.number;
  if (!assistantId) return undefined;
  const found = await findAssistant(db, { teamId, id: assistantId });
  const checked = found && checkAssistant(found.config);
  if (!checked?.ok) return undefined;
  const effective = applyOverrides(checked.value);
  const [problem] = providers.problemsOf(effective.assistant).filter(({ blocks }) => blocks);
  return db.transaction(async (tx: Db) => {
    const snapshot: CallSnapshot & Record<string, unknown> = {
      ...effective,
      overrides: {},
      metadata: {},
      customer: { number: arrival.from },
      tools: await snapshotTools(tx, { teamId, assistant: effective.assistant }),
      baseUrl,
    };
    const call = await createCall(tx, {
      id: newCallId('phone'),
      teamId,
      callType: 'phone',
      direction: 'inbound',
      phoneCallStatus: 'ringing',
      assistantId,
      userNumber: arrival.from,
      assistantNumber: line.number.number,
      customerName: arrival.callerName ?? null,
      numberId,
      nodeId,
      carrierCallId: arrival.carrierCallId,
      snapshot,
    });
    if (!problem) return call;
    const { code, message, vendor: provider } = problem;
    const failure = { code, message, provider };
    const end = { endReason: 'vendor-not-ready', phoneCallStatus: 'failed', failure } as const;
    return finishCall(tx, { teamId, id: call.id, ...end });
  });
}
