import type { CarrierReply } from '../ports/carrier.ts';
import type { Log } from '../ports/log.ts';
import type { NumberLine } from './number-line.ts';

/** Hangs up an operator's leg whose process is gone and whose carrier asks what to do: nobody would ever speak there. */
export async function hangUpLeftBehind(
  [line]: readonly NumberLine[],
  carrierCallId: string,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<CarrierReply | undefined> {
  if (!line) return undefined;
  log.warn({ carrierCallId }, "hung up an operator's leg that a dead process had left behind");
  await line.account.hangup(carrierCallId, signal);
  return line.carrier.goodbye;
}
