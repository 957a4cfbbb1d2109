import { setTimeout as delay } from 'node:timers/promises';
import { CallStarts } from '../calls/call-starts.ts';
import type { Config } from '../config/config.ts';
import { onCollection } from '../lib/collections.ts';
import { loopRecorder } from '../lib/loop-recorder.ts';
import { ThreadUse } from '../lib/thread-use.ts';
import type { Clock } from '../ports/clock.ts';
import { LoopLag } from '../session/loop-lag.ts';
import type { Session } from '../session/session.ts';
import { type Receivers, SessionRegistry } from '../session/session-registry.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';

/** The live calls of this process, their limit and the metrics. */
export interface LiveCalls {
  readonly registry: SessionRegistry<Session>;
  readonly metrics: Metrics;
  /** The threads that live calls may need. */
  readonly threadUse: ThreadUse;
  /** The pace of calls that begin. */
  readonly starts: CallStarts;
  /** Begins to measure the event loop, whose lag also limits the calls. */
  start(): void;
  /** Refuses new calls, and leaves the live ones to other processes: as they are if that takes longer than `graceMs`. */
  handOver(graceMs: number, receivers: Receivers): Promise<void>;
  /** Refuses new calls; live ones are asked to end after `graceMs`, and left behind 10 s later. */
  drain(graceMs: number): Promise<void>;
  close(): void;
}

const wait = (ms: number) => delay(ms, undefined, { ref: false });

/** Time for calls to end after they were asked to. */
const FAREWELL_MS = 10_000;

export function createLiveCalls(
  { maxCalls, maxLagMs }: Pick<Config, 'maxCalls' | 'maxLagMs'>,
  { clock }: { readonly clock: Clock },
): LiveCalls {
  const lag = new LoopLag({ clock, limitMs: maxLagMs });
  const registry = new SessionRegistry<Session>(maxCalls, lag);
  const metrics = createMetrics(() => registry.size, loopRecorder);
  let stopWatching = () => {};
  return {
    registry,
    metrics,
    threadUse: new ThreadUse(),
    starts: new CallStarts(() => clock.now()),
    start() {
      lag.start();
      stopWatching = onCollection((kind, tookMs) => loopRecorder.note(kind, tookMs));
    },
    async handOver(graceMs, receivers) {
      const now = () => clock.now();
      await registry.handOver({ wait, now }, now() + graceMs, receivers);
      lag.stop();
    },
    async drain(graceMs) {
      await registry.drain(wait, graceMs, FAREWELL_MS);
      lag.stop();
    },
    close() {
      stopWatching();
      metrics.close();
    },
  };
}
