import { ProviderError } from '../../lib/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Stt, SttOptions, SttStream } from '../../ports/stt.ts';
import type { TurnQueue } from './turn-queue.ts';

/** After this wait, the caller is better served by another recogniser. */
const MAX_WAIT_MS = 3000;

/** Limits the concurrent streams of a recogniser to what its vendor allows. */
export function createLimitedStt(stt: Stt, queue: TurnQueue, clock: Clock): Stt {
  const { provider } = stt;

  async function takeInTime({ team, signal }: SttOptions): Promise<() => void> {
    const wait = new AbortController();
    const onAbort = (): void => wait.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = clock.setTimeout(onAbort, MAX_WAIT_MS);
    try {
      return await queue.take(team, wait.signal);
    } catch (error) {
      if (!wait.signal.aborted || signal.aborted) throw error;
      const message = `${provider} had no stream free within ${MAX_WAIT_MS} ms`;
      throw new ProviderError({ class: 'rate', provider, code: 'no_stream_free', message });
    } finally {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    ...stt,
    async open(request) {
      const release = once(await takeInTime(request));
      const { signal, onEvent } = request;
      try {
        const stream = await stt.open({
          ...request,
          onEvent: (event) => {
            if (event.type === 'error') release();
            onEvent(event);
          },
        });
        signal.addEventListener('abort', release, { once: true });
        return releasing(stream, () => {
          signal.removeEventListener('abort', release);
          release();
        });
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}

function releasing(stream: SttStream, release: () => void): SttStream {
  return {
    get droppedMs() {
      return stream.droppedMs;
    },
    write: (pcm) => stream.write(pcm),
    speechStarted: () => stream.speechStarted(),
    speechEnded: () => stream.speechEnded(),
    flush: () => stream.flush(),
    close: () => {
      release();
      stream.close();
    },
  };
}
