import { Dispatcher } from './events/dispatcher.ts';
import type { OutboundFetch } from './lib/guarded-fetch.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { Db } from './store/db.ts';

interface AfterCallsDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** To the servers of assistants. */
  readonly fetch: OutboundFetch;
  readonly log: Log;
}

/** What of a call's record was kept. */
export interface Recorded {
  /** Its server is to hear of it. */
  readonly told: boolean;
  /** Nothing more comes of the call. */
  readonly settled: boolean;
}

/** What follows from calls: their servers are told. */
export interface AfterCalls {
  start(): Promise<void>;
  /** Some of a call's record is kept. */
  recorded(what: Recorded): void;
  stop(): Promise<void>;
}

export function createAfterCalls({ db, clock, fetch, log }: AfterCallsDeps): AfterCalls {
  const dispatcher = new Dispatcher({ db, clock, fetch, log, soleNode: true, random: Math.random });
  return {
    start: () => dispatcher.start(),
    recorded({ told }) {
      if (told) dispatcher.nudge();
    },
    stop: () => dispatcher.stop(),
  };
}
