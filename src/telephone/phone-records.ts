import { applyOverrides } from '../contract/apply-overrides.ts';
import type { PhoneCallStatus } from '../contract/call.ts';
import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { VendorProblem } from '../contract/vendors.ts';
import { newCallId } from '../lib/ids.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import { findVersion } from '../store/assistant-versions.ts';
import {
  type CallRecord,
  createCall,
  findCarrierCall,
  finishCall,
  updateCall,
} from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { IllegalTransitionError, OverLimitError, SuspendedError } from '../store/errors.ts';
import { snapshotTools } from '../store/snapshot-tools.ts';
import { admitCall } from '../store/team-limits.ts';
import type { TelephoneDeps } from './deps.ts';
import type { NumberLine } from './number-line.ts';
import type { PhoneCall } from './phone-call.ts';

type Arrival = Extract<CarrierEvent, { type: 'call-arrived' }>;

/** How long a dialled telephone rings. */
export const RING_SECONDS = 30;

/** Why a call ended that never had a session. */
export type CallEnd = Pick<Parameters<typeof finishCall>[1], 'endReason' | 'failure'>;

/** The end of a call of which nothing more was heard by its deadline. */
export const overdue: Readonly<Record<'no-answer' | 'failed', CallEnd>> = {
  'no-answer': { endReason: 'no-answer' },
  failed: { endReason: 'never-connected' },
};

/** The cause that a carrier reports if it could not open the media socket. */
const NO_MEDIA = 'no-media';

/** {@link recordFirst}, or the record of the same arrival: the webhook may come twice. */
export async function recordArrival(
  deps: Parameters<typeof recordFirst>[0],
  params: Parameters<typeof recordFirst>[1],
): Promise<CallRecord | undefined> {
  try {
    return await recordFirst(deps, params);
  } catch (error) {
    const { teamId, id: numberId } = params.line.number;
    const { carrierCallId } = params.arrival;
    const known = await findCarrierCall(deps.db, { teamId, numberId, carrierCallId });
    if (!known) throw error;
    return known;
  }
}

/**
 * Records an inbound call; undefined if the number has no working assistant or its team is suspended. If the
 * assistant's vendors are not ready or the team has reached a limit, the call is recorded as ended, so that the caller is
 * refused instead of answered with silence.
 */
async function recordFirst(
  deps: Pick<TelephoneDeps, 'db' | 'checkAssistant' | 'clock' | 'nodeId' | 'providers'>,
  params: { readonly line: NumberLine; readonly arrival: Arrival; readonly baseUrl: string },
): Promise<CallRecord | undefined> {
  const { db, checkAssistant, clock, nodeId, providers } = deps;
  const { line, arrival, baseUrl } = params;
  const { teamId, assistantId, assistantVersion, id: numberId } = line.number;
  if (!assistantId) return undefined;
  const found = await findVersion(db, { teamId, id: assistantId, name: assistantVersion ?? '' });
  const checked = found && checkAssistant(found.config);
  if (!checked?.ok) return undefined;
  const effective = applyOverrides(checked.value);
  const [problem] = providers
    .problemsOf(effective.assistant, teamId)
    .filter(({ blocks }) => blocks);
  return db.transaction(async (tx: Db) => {
    const isRecorded = effective.assistant.recordingEnabled;
    const now = new Date(clock.now());
    const refusal = await refusalOf(() => admitCall(tx, { teamId, isRecorded, now }));
    if (refusal instanceof SuspendedError) return undefined;
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
      assistantVersion: found?.number ?? null,
      userNumber: arrival.from,
      assistantNumber: line.number.number,
      customerName: arrival.callerName ?? null,
      numberId,
      nodeId,
      carrierCallId: arrival.carrierCallId,
      snapshot,
    });
    const end = refusal ? overLimit(refusal) : problem && notReady(problem);
    if (!end) return call;
    return finishCall(tx, { teamId, id: call.id, phoneCallStatus: 'failed', ...end });
  });
}

/** What a check throws because of the team; undefined if it passes. */
async function refusalOf(
  check: () => Promise<void>,
): Promise<OverLimitError | SuspendedError | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof OverLimitError || error instanceof SuspendedError) return error;
    throw error;
  }
}

function overLimit({ limit, message }: OverLimitError): CallEnd {
  return { endReason: 'over-limit', failure: { code: limit, message, provider: '' } };
}

function notReady({ code, message, vendor: provider }: VendorProblem): CallEnd {
  return { endReason: 'vendor-not-ready', failure: { code, message, provider } };
}

/** Writes a status that the carrier reported, unless it came late and the record is further already. */
export async function recordStatus(
  db: Db,
  { id, teamId }: Pick<CallRecord, 'id' | 'teamId'>,
  phoneCallStatus: PhoneCallStatus,
): Promise<void> {
  try {
    await updateCall(db, { teamId, id, change: { phoneCallStatus } });
  } catch (error) {
    if (!(error instanceof IllegalTransitionError)) throw error;
  }
}

/** Why a carrier ended a call: its own word, and the code of SIP, which Twilio gives beside the bare status. */
export type CarrierReason = Pick<
  Extract<CarrierEvent, { type: 'call-status' }>,
  'cause' | 'sipCode'
>;

/** The end of a call by the carrier's final status and reason. */
export function endOf(
  call: PhoneCall,
  status: PhoneCallStatus,
  { cause, sipCode }: CarrierReason,
): CallEnd {
  if (cause === NO_MEDIA) return { endReason: NO_MEDIA };
  if (status !== 'busy' && status !== 'no-answer' && status !== 'failed')
    return { endReason: 'user-hung-up' };
  const provider = call.line.carrier.name;
  if (cause !== undefined && cause !== status) {
    const failure = { code: cause, message: `${provider} says ${cause}`, provider };
    return { endReason: status, failure };
  }
  // A line that is busy or not answered needs no more words.
  if (status !== 'failed' || sipCode === undefined) return { endReason: status };
  const failure = { code: `sip-${sipCode}`, message: `${provider} says SIP ${sipCode}`, provider };
  return { endReason: status, failure };
}
