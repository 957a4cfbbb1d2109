/** The error for an aborted operation: the signal's own reason if that is an AbortError, else a new one. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === 'AbortError') return reason;
  return new DOMException('The operation was aborted', 'AbortError');
}

/**
 * A stackless AbortError for expected aborts, since creating an error with a stack trace would cost more than the
 * abort.
 */
export const EXPECTED_ABORT = new DOMException('The operation is over', 'AbortError');

/** Throws if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

/** Settles like the promise, or rejects with an AbortError as soon as the signal aborts. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => signal.removeEventListener('abort', onAbort);
    promise.finally(settle).then(resolve, reject);
  });
}
