import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { PhoneCall } from './phone-call.ts';

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
}

const COMMAND_MS = 10_000;
/**
 * A request that nobody answers fails in 32 s (RFC 3261, timer F). A far end that took it and says nothing more has
 * the caller: some send no progress and leave the hanging up to us.
 */
const TAKEN_MS = 33_000;
/** Before the caller's patience ends, after which a word of the far end would come too late. */
const SPARE_MS = 1000;

/**
 * Has the far end take the caller over, where that is wanted. False: it would not, and the caller is still here.
 */
export async function handOver(
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
      log.info({ callId: call.record.id, cause }, 'the far end did not take the caller over');
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
      'the far end was not asked to take the caller over',
    );
    return false;
  } finally {
    clock.clearTimeout(timer);
    cancelled.removeEventListener('abort', onCancel);
    leg.handOn(undefined);
    call.onReferred = undefined;
  }
}
