import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { PhoneCall } from './phone-call.ts';

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
}

const COMMAND_MS = 10_000;
/**
 * An unanswered REFER fails after 32 s (RFC 3261, timer F). A far end that accepted it and sent nothing more has the
 * caller: some report no progress and leave the hanging up to the sender.
 */
const TAKEN_MS = 33_000;
/** The wait ends this long before the machine's own deadline for ringing. */
const SPARE_MS = 1000;

/**
 * Asks the caller's own carrier to transfer the call (SIP REFER). False if it can't or won't; the call then goes on here.
 */
export async function transferByRefer(
  { clock, log }: Deps,
  call: PhoneCall,
  { to, ringMs, cancelled }: { to: string; ringMs: number; cancelled: AbortSignal },
): Promise<boolean> {
  const { carrierCallId, leg } = call;
  const { account } = call.line;
  if (!account.refer || !leg || carrierCallId === undefined) return false;
  const taken = Promise.withResolvers<boolean>();
  leg.handOn(() => taken.resolve(true));
  call.onReferred = (cause) => {
    if (cause !== undefined)
      log.info({ callId: call.record.id, cause }, 'the far end refused the transfer');
    taken.resolve(cause === undefined);
  };
  const onCancel = () => taken.resolve(false);
  cancelled.addEventListener('abort', onCancel, { once: true });
  let timer: unknown;
  try {
    const signal = AbortSignal.any([cancelled, AbortSignal.timeout(COMMAND_MS)]);
    await account.refer(carrierCallId, to, signal);
    const patienceMs = Math.max(SPARE_MS, Math.min(TAKEN_MS, ringMs - SPARE_MS));
    timer = clock.setTimeout(() => taken.resolve(true), patienceMs);
    return await taken.promise;
  } catch (error) {
    log.info(
      { callId: call.record.id, err: error },
      'the far end could not be asked for the transfer',
    );
    return false;
  } finally {
    clock.clearTimeout(timer);
    cancelled.removeEventListener('abort', onCancel);
    leg.handOn(undefined);
    call.onReferred = undefined;
  }
}
