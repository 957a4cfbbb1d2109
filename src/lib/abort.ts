/** The error an aborted operation ends with: the signal's own reason when that is an abort, else a plain one. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === 'AbortError') return reason;
  return new DOMException('The operation was aborted', 'AbortError');
}

/**
 * For an abort at the end of what went well, or of what nobody waits for any more: an error of its own, with its
 * trace, would cost more than the abort.
 */
export const OVER = new DOMException('The operation is over', 'AbortError');

/** Throws when the signal has already fired. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

/** The promise's outcome, or the signal's abort, whichever comes first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => signal.removeEventListener('abort', onAbort);
    promise.finally(settle).then(resolve, reject);
  });
}
