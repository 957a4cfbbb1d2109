import { failedSetup, type PreparedCall, prepareCall } from '../calls/call-setup.ts';
import { restoreRecorded } from '../calls/restore-recorded.ts';
import type { CarrierConnection } from '../gateway/carrier-codec.ts';
import { CarrierLeg } from '../gateway/carrier-leg.ts';
import type { Clock } from '../ports/clock.ts';
import { type CallRecord, getCall } from '../store/calls.ts';
import type { TelephoneDeps } from './deps.ts';
import { askForLostSound } from './lost-sound.ts';
import type { PhoneCall } from './phone-call.ts';

interface PhoneMediaHooks {
  /** Ends the call at the carrier. */
  readonly hangup: (reason: string) => void;
  /** Absent if tones are sent as sound. */
  readonly sendDtmf?: (digits: string) => void;
  /** Asks the carrier for another media socket. */
  readonly askForSound: () => Promise<unknown>;
  /** The call could not be set up. */
  readonly failed: (end: ReturnType<typeof failedSetup>) => void;
  readonly ended: () => void;
}

/** Sample rate of telephone audio. */
const RATE_HZ = 8000;

/** Sets the call up and connects to its vendors while the telephone rings. */
export function prepareAhead(deps: TelephoneDeps, call: PhoneCall): void {
  const prepare = async () => {
    const prepared = await prepareOrRestore(deps, await recordOf(deps, call));
    prepared.warm(RATE_HZ);
    return prepared;
  };
  call.prepared ??= prepare().catch((error: unknown) => {
    // Setup is tried again when the media socket opens.
    deps.log.info({ callId: call.record.id, err: error }, 'a call could not be set up ahead');
    return undefined;
  });
}

/**
 * Connects a media socket to its call: to the leg of the running session, or to a new session. Undefined if there is
 * no room or the call ended meanwhile.
 */
export async function connectPhone(
  deps: TelephoneDeps,
  call: PhoneCall,
  hooks: PhoneMediaHooks,
): Promise<((connection: CarrierConnection) => void) | undefined> {
  const { registry, metrics, clock, log } = deps;
  if (call.leg) return resume(call, clock);
  if (!call.takePlace() && registry.reserve() !== 'reserved') return undefined;
  let taken = false;
  try {
    const record = await recordOf(deps, call);
    const prepared = (await call.prepared) ?? (await prepareNow(deps, record, hooks));
    if (!prepared) return undefined;
    if (call.isOver || record.endAt || call.leg) return call.leg && resume(call, clock);
    taken = true;
    const callId = record.id;
    const course = deps.callStarts.follow(record);
    const leg = new CarrierLeg({
      clock,
      hangup: hooks.hangup,
      ...(hooks.sendDtmf ? { sendDtmf: hooks.sendDtmf } : {}),
      silence: call.line.carrier.capabilities,
      onLoss: ({ reason, resumable }) => {
        log.info({ callId, reason }, 'a media socket was lost');
        if (!resumable) course.broke();
        askForLostSound(deps, call, hooks.askForSound);
      },
    });
    call.leg = leg;
    call.report('in-progress');
    return (connection) => {
      call.opened(clock);
      leg.begin(connection, () => {
        const session = prepared.start(leg);
        registry.add(session);
        metrics.callStarted();
        void session.finished.then(() => {
          course.over();
          hooks.ended();
          metrics.callEnded(session.endReason);
        });
        return session;
      });
    };
  } finally {
    if (!taken) registry.release();
  }
}

const recordOf = async ({ db }: TelephoneDeps, { record, lostAt }: PhoneCall) => ({
  ...(await getCall(db, record)),
  lostAt,
});

/** Only a call that had another owner may have a journal before it has media here. */
async function prepareOrRestore(deps: TelephoneDeps, record: CallRecord): Promise<PreparedCall> {
  if (record.epoch === 0) return prepareCall(deps, record);
  return deps.takeOvers.run(record.teamId, async () => {
    const restored = await restoreRecorded(deps.db, record);
    if (restored)
      deps.log.info(
        { callId: record.id, seq: restored.last.seq },
        'a call of a dead process was taken over',
      );
    return prepareCall(deps, record, restored);
  });
}

function resume(call: PhoneCall, clock: Clock): (connection: CarrierConnection) => void {
  return (connection) => {
    call.opened(clock);
    call.leg?.resume(connection);
  };
}

/** Sets the call up; if that fails, ends the call with the reason. */
async function prepareNow(
  deps: TelephoneDeps,
  record: CallRecord,
  { failed }: PhoneMediaHooks,
): Promise<PreparedCall | undefined> {
  try {
    return await prepareOrRestore(deps, record);
  } catch (error) {
    deps.log.error({ callId: record.id, err: error }, 'a call could not be set up');
    failed(failedSetup(error));
    return undefined;
  }
}
