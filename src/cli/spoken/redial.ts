import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../client/api-error.ts';
import { LineBusyError } from '../handset-socket.ts';
import { CallerError } from '../web-caller.ts';

const MOST_TRIES = 20;
const BUSY_MS = 3000;
const BUSY_STATUS = [429, 503];
const BUSY_CODES = ['at_capacity', 'busy', 'calls-per-second'];

/** Calls again while the service takes no more calls, as a caller does: one that is late with its calls refuses others. */
export async function redial<T>(
  dial: () => Promise<T>,
  { signal, wait = delay }: { readonly signal: AbortSignal; readonly wait?: typeof delay },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await dial();
    } catch (error) {
      if (!isBusy(error) || tries === MOST_TRIES) throw error;
    }
    await wait(BUSY_MS, undefined, { signal });
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof LineBusyError ||
  (error instanceof CallerError && BUSY_CODES.includes(error.code)) ||
  (error instanceof Error &&
    error.cause instanceof ApiError &&
    BUSY_STATUS.includes(error.cause.status));
