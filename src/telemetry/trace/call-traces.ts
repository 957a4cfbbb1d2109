import PQueue from 'p-queue';
import { RepeatedLog } from '../../lib/repeated-log.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { CallTraces, TraceHeaders, TracingConfig } from '../../ports/tracing.ts';
import { CALL_KEY, type CallSpan, spanIdOf, toolKey, traceIdOf } from './call-span.ts';
import type { SpanSender } from './otlp.ts';

/** What became of a call's trace. */
export type TraceOutcome = 'sent' | 'failed' | 'dropped';

interface CallTracesDeps {
  /** Reads the spans of an ended call; none if it is not there any more. */
  readonly read: (callId: string) => Promise<readonly CallSpan[]>;
  readonly onTrace: (outcome: TraceOutcome) => void;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RunningCallTraces extends CallTraces {
  /** Gives what still waits a few seconds, then leaves it. */
  close(): Promise<void>;
}

/** Calls whose traces wait, while a collector is slow; further ones are dropped. */
const MAX_WAITING = 1000;
const AT_ONCE = 4;
const CLOSE_MS = 3000;

/** Loads OpenTelemetry's exporter: it takes no memory where no traces are wanted. */
export async function createCallTraces(
  config: TracingConfig,
  deps: CallTracesDeps,
): Promise<RunningCallTraces> {
  const { createSpanSender, samplerOf } = await import('./otlp.ts');
  const sender = await createSpanSender(config);
  return runCallTraces(sender, { ...deps, isSampled: samplerOf(config.share) });
}

/** Sends the traces of ended calls, some at once. No failure of it reaches a call. */
export function runCallTraces(
  sender: SpanSender,
  deps: CallTracesDeps & { readonly isSampled: (traceId: string) => boolean },
): RunningCallTraces {
  const { read, isSampled, onTrace, clock } = deps;
  const queue = new PQueue({ concurrency: AT_ONCE });
  const log = new RepeatedLog(deps.log, clock);

  async function trace(callId: string): Promise<void> {
    try {
      const spans = await read(callId);
      if (spans.length === 0) return;
      await sender.send(spans);
      onTrace('sent');
    } catch (error) {
      onTrace('failed');
      const reason = error instanceof Error ? error.message : String(error);
      log.warn('failed', { callId, reason }, 'the trace of a call could not be sent');
    }
  }

  return {
    headers: traceHeaders(isSampled),
    ended(callId) {
      if (!isSampled(traceIdOf(callId))) return;
      if (queue.size < MAX_WAITING) {
        void queue.add(() => trace(callId));
        return;
      }
      onTrace('dropped');
      log.warn(
        'dropped',
        { callId },
        'the trace of a call is dropped, as too many wait to be sent',
      );
    },
    async close() {
      const late = Promise.withResolvers<void>();
      const timer = clock.setTimeout(late.resolve, CLOSE_MS);
      await Promise.race([queue.onIdle(), late.promise]);
      clock.clearTimeout(timer);
      queue.clear();
      log.close();
      await Promise.race([sender.close(), late.promise]);
    },
  };
}

function traceHeaders(isSampled: (traceId: string) => boolean): TraceHeaders {
  return ({ callId, toolCallId }) => {
    const traceId = traceIdOf(callId);
    const key = toolCallId === undefined ? CALL_KEY : toolKey(toolCallId);
    const flags = isSampled(traceId) ? '01' : '00';
    return { traceparent: `00-${traceId}-${spanIdOf(callId, key)}-${flags}` };
  };
}
