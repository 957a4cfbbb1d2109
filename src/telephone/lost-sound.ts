import type { CarrierName } from '../ports/carrier.ts';
import type { TelephoneDeps } from './deps.ts';
import type { PhoneCall } from './phone-call.ts';

/** Carriers that say only once that the sound of a call was lost, perhaps while no process hears it. */
export const SAYS_LOSS_ONCE: readonly CarrierName[] = ['telnyx', 'asterisk'];

/** By then a carrier has said so, if it has reached a process. */
const UNHEARD_MS = 1000;
const COMMAND_MS = 5000;

/**
 * To be called when the media socket of a leg was lost. If its carrier has not asked for another one after a moment, this
 * does so in its place, until the carrier takes the command. `ask` rejects if the carrier refuses it or cannot be reached.
 */
export function askForLostSound(
  { clock, log }: Pick<TelephoneDeps, 'clock' | 'log'>,
  call: PhoneCall,
  ask: () => Promise<unknown>,
): void {
  const { carrier, account } = call.line;
  /** An armed call waits for a socket that it was granted. */
  const isSettled = () => call.isArmed || call.leg?.isOver === true;
  const attempt = async (): Promise<void> => {
    // Media that nobody follows could not be connected to the call.
    const isReady = (await account.isFollowed?.(AbortSignal.timeout(COMMAND_MS))) ?? true;
    if (isSettled()) return;
    if (!isReady) return askLater();
    const granted = call.attempt;
    try {
      await ask();
    } catch (error) {
      call.withdraw(granted);
      call.disarm(clock);
      throw error;
    }
  };
  const askLater = () =>
    call.arm(clock, UNHEARD_MS, () => {
      call.disarm(clock);
      if (isSettled()) return;
      attempt().catch((error: unknown) => {
        log.warn({ callId: call.record.id, err: error }, 'lost sound could not be asked for');
        if (!isSettled()) askLater();
      });
    });
  if (SAYS_LOSS_ONCE.includes(carrier.name) && !isSettled()) askLater();
}
