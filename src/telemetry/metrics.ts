import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { LoopRecorder } from '../lib/loop-recorder.ts';
import type { VendorMeter } from '../ports/vendor-meter.ts';
import { createVendorMeter } from './vendor-metrics.ts';

/** Jobs of one kind that are waiting, running and finally failed. */
interface JobCounts {
  readonly kind: string;
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
}

interface StorageFigures {
  freeBytes(): Promise<number>;
  isFull(): Promise<boolean>;
}

export interface Metrics {
  /** Latency of one answered turn in ms: from the end of the caller's speech to the first audible answer. */
  turn(totalMs: number): void;
  /** Counts a judgement that was asked of the turn model, by how it ended. */
  turnJudged(outcome: string): void;
  callStarted(): void;
  callEnded(reason: string): void;
  readonly vendors: VendorMeter;
  /** Counts the trace of a call, by what became of it. */
  traced(outcome: string): void;
  /** Counts a recording that ended before its call because of a disk error. */
  recordingStopped(): void;
  /** Reads the storage figures on every scrape. */
  watchStorage(storage: StorageFigures): void;
  /** Reads the job counts by kind and state on every scrape. */
  watchJobs(counts: () => Promise<readonly JobCounts[]>): void;
  /** Reads on every scrape how many sockets this process passes on to another. */
  watchRelays(relayed: () => number): void;
  /** Reads on every scrape how many entries of the audit log are not in the database. */
  watchAudit(unwritten: () => number): void;
  /** This process's metrics as JSON, to be aggregated by another process. */
  figures(): Promise<readonly object[]>;
  /** Prometheus text with its content type; includes the given metrics of other processes. */
  expose(
    others?: readonly (readonly object[])[],
  ): Promise<{ readonly body: string; readonly contentType: string }>;
  close(): void;
}

export function createMetrics(
  liveCalls: () => number,
  loop?: Pick<LoopRecorder, 'figures'>,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'parley_calls_live',
    help: 'Calls now held by this service',
    registers: [registry],
    collect() {
      this.set(liveCalls());
    },
  });
  if (loop) watchLoop(registry, loop);
  const started = new Counter({
    name: 'parley_calls_started_total',
    help: 'Calls answered since the start',
    registers: [registry],
  });
  const ended = new Counter({
    name: 'parley_calls_ended_total',
    help: 'Calls ended since the start, by reason',
    labelNames: ['reason'],
    registers: [registry],
  });
  const turns = new Histogram({
    name: 'parley_turn_seconds',
    help: "From the end of the caller's speech to the first audible answer",
    buckets: [0.3, 0.5, 0.6, 0.7, 0.8, 1, 1.5, 2, 3, 5, 10],
    registers: [registry],
  });
  const judged = new Counter({
    name: 'parley_turn_judgements_total',
    help: 'Judgements asked of the turn model, by how they ended',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const traces = new Counter({
    name: 'parley_traces_total',
    help: 'Traces of calls that were sent, could not be sent, or were dropped because too many waited',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const stopped = new Counter({
    name: 'parley_recordings_incomplete_total',
    help: 'Recordings that the disk ended before their calls were over',
    registers: [registry],
  });
  return {
    vendors: createVendorMeter(registry),
    recordingStopped: () => stopped.inc(),
    watchStorage: (storage) => watchStorage(registry, storage),
    watchRelays: (relayed) => watchRelays(registry, relayed),
    watchAudit: (unwritten) => watchAudit(registry, unwritten),
    watchJobs: (counts) => watchJobs(registry, counts),
    turn: (totalMs) => turns.observe(totalMs / 1000),
    turnJudged: (outcome) => judged.inc({ outcome }),
    traced: (outcome) => traces.inc({ outcome }),
    callStarted: () => started.inc(),
    callEnded: (reason) => ended.inc({ reason }),
    figures: () => registry.getMetricsAsJSON(),
    async expose(others = []) {
      const { contentType } = registry;
      if (others.length === 0) return { body: await registry.metrics(), contentType };
      const all = [await registry.getMetricsAsJSON(), ...others];
      return { body: await AggregatorRegistry.aggregate([...all]).metrics(), contentType };
    },
    close: () => registry.clear(),
  };
}

function watchLoop(registry: Registry, loop: Pick<LoopRecorder, 'figures'>): void {
  new Gauge({
    name: 'parley_loop_longest_seconds',
    help: 'The longest that one piece of work held the thread of the calls in the last minute, by kind',
    labelNames: ['work'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      for (const { work, longestMs } of loop.figures()) this.set({ work }, longestMs / 1000);
    },
  });
  new Counter({
    name: 'parley_loop_seconds_total',
    help: 'Time that work took of the thread of the calls since the start, by kind',
    labelNames: ['work'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { work, totalMs } of loop.figures()) this.inc({ work }, totalMs / 1000);
    },
  });
}

function watchJobs(registry: Registry, counts: () => Promise<readonly JobCounts[]>): void {
  new Gauge({
    name: 'parley_jobs',
    help: 'Durable jobs on the queue, by kind and state',
    labelNames: ['kind', 'state'],
    // All processes read the same queue, so their figures must not be added up.
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.reset();
      // If the database is down, the other metrics matter all the more, so the scrape must not fail.
      const all = await counts().catch(() => []);
      for (const { kind, waiting, active, failed } of all) {
        this.set({ kind, state: 'waiting' }, waiting);
        this.set({ kind, state: 'active' }, active);
        this.set({ kind, state: 'failed' }, failed);
      }
    },
  });
}

function watchRelays(registry: Registry, relayed: () => number): void {
  new Gauge({
    name: 'parley_sockets_relayed',
    help: 'Sockets that came to another process than that of their call, and are passed on to it',
    registers: [registry],
    collect() {
      this.set(relayed());
    },
  });
}

function watchAudit(registry: Registry, unwritten: () => number): void {
  new Gauge({
    name: 'parley_audit_unwritten',
    help: 'Entries of the audit log that could not be written yet, or were lost',
    registers: [registry],
    collect() {
      this.set(unwritten());
    },
  });
}

function watchStorage(registry: Registry, storage: StorageFigures): void {
  new Gauge({
    name: 'parley_storage_free_bytes',
    help: 'Free bytes for recordings and files',
    aggregator: 'min',
    registers: [registry],
    async collect() {
      // Without a figure the series is left out.
      await storage.freeBytes().then(
        (bytes) => this.set(bytes),
        () => this.reset(),
      );
    },
  });
  new Gauge({
    name: 'parley_storage_full',
    help: '1 while recordings and files cannot be written for want of room',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.set((await storage.isFull()) ? 1 : 0);
    },
  });
}
