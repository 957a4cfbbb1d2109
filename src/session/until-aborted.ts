/**
 * Yields from the stream until the signal aborts, even if the source ignores the signal: a vendor that does must not
 * hold up a call.
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
    // Not awaited: the source may hang, and nobody reads its last error.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
