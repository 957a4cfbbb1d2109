import type { OutboundFetch, OutboundResponse } from './guarded-fetch.ts';
import { OutboundError } from './outbound-error.ts';
import { TeamBusyError, TeamQueue } from './team-queue.ts';

/** Limits on the requests of this process to servers of tools. */
export const fairFetchLimits = {
  inFlight: 256,
  inFlightPerTeam: 64,
  waitingPerTeam: 64,
} as const;

/**
 * A fetch that teams share, with limits on each team's requests in flight and waiting. A request is in flight until its
 * body is read, cancelled or aborted. Requests beyond the limits fail as `busy`.
 */
export function createFairFetch(
  fetch: OutboundFetch,
  limits: Readonly<Record<keyof typeof fairFetchLimits, number>> = fairFetchLimits,
): OutboundFetch {
  const queue = new TeamQueue({
    concurrency: limits.inFlight,
    maxPerTeam: () => limits.inFlightPerTeam,
    maxWaiting: limits.waitingPerTeam,
  });
  return (url, request) =>
    new Promise((resolve, reject) => {
      const exchange = async (): Promise<void> => {
        const over = Promise.withResolvers<void>();
        const release = (): void => over.resolve();
        request.signal.addEventListener('abort', release, { once: true });
        try {
          resolve(releasing(await fetch(url, request), release));
          await over.promise;
        } catch (error) {
          reject(error);
        } finally {
          request.signal.removeEventListener('abort', release);
        }
      };
      queue
        .run(request.team ?? '', exchange, request.signal)
        .catch((error: unknown) => reject(toOutboundError(error, limits)));
    });
}

function toOutboundError(error: unknown, limits: { readonly waitingPerTeam: number }): unknown {
  if (!(error instanceof TeamBusyError)) return error;
  const message = `${limits.waitingPerTeam} requests of this team are waiting already`;
  return new OutboundError('busy', message, error);
}

function releasing(response: OutboundResponse, release: () => void): OutboundResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield* response.body;
    } finally {
      release();
    }
  }
  return {
    ...response,
    body: body(),
    cancel() {
      response.cancel();
      release();
    },
  };
}
