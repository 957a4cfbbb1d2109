/**
 * The stream, but an abort ends the wait at once even when the source does not react to it: a vendor that
 * ignores its signal must not hold a call.
 */
export async function* untilAborted<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]();
  let rejectPending: ((reason: unknown) => void) | undefined;
  const onAbort = () => rejectPending?.(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        rejectPending = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: the source may be the very thing that hangs, and its last error has no reader.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
