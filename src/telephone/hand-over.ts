import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { PhoneCall } from './phone-call.ts';

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
}

const COMMAND_MS = 10_000;
/** From the carrier's taking the request to the end of our leg, by which it shows that the other side has them. */
const TAKEN_MS = 8000;

/**
 * Has the carrier hand the caller on without us. False: it can't, would not, or nothing came of it in time,
 * and the caller is still here.
 */
export async function handOver(
  { clock, log }: Deps,
  call: PhoneCall,
  { to, cancelled }: { readonly to: string; readonly cancelled: AbortSignal },
): Promise<boolean> {
  const { carrierCallId, leg } = call;
  const { carrier, account } = call.line;
  if (!carrier.capabilities.refer || !account.refer || !leg || carrierCallId === undefined)
    return false;
  const gone = Promise.withResolvers<boolean>();
  leg.handOn(() => gone.resolve(true));
  const onCancel = () => gone.resolve(false);
  cancelled.addEventListener('abort', onCancel, { once: true });
  let timer: unknown;
  try {
    const signal = AbortSignal.any([cancelled, AbortSignal.timeout(COMMAND_MS)]);
    await account.refer(carrierCallId, to, signal);
    timer = clock.setTimeout(() => gone.resolve(false), TAKEN_MS);
    return await gone.promise;
  } catch (error) {
    log.info({ callId: call.record.id, err: error }, 'the carrier did not hand the caller on');
    return false;
  } finally {
    clock.clearTimeout(timer);
    cancelled.removeEventListener('abort', onCancel);
    leg.handOn(undefined);
  }
}
