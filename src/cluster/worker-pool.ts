import cluster, { type Worker } from 'node:cluster';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { handOverConnectionsOfTheDead } from './hand-over-connections.ts';

/** Messages from a worker to the primary process. */
export type FromWorker =
  /** The worker listens now: messages sent earlier were lost. */
  { readonly type: 'here' } | ReadyWorker;

interface ReadyWorker {
  readonly type: 'ready';
  readonly address: string;
  readonly newKey?: string | undefined;
}

/** Messages from the primary process to a worker. */
export type ToWorker<WorkerAssignment> =
  | { readonly type: 'assignment'; readonly assignment: WorkerAssignment }
  /** The node that runs what only one process of the service may run. */
  | { readonly type: 'home'; readonly nodeId: string }
  /** The process of this node has ended. */
  | { readonly type: 'died'; readonly nodeId: string }
  | { readonly type: 'stop' };

interface PoolDeps<WorkerAssignment> {
  readonly size: number;
  /** Creates a worker's assignment, a new one for each start. */
  readonly createAssignment: (
    slot: number,
    opensService: boolean,
  ) => WorkerAssignment & { readonly nodeId: string };
  readonly clock: Clock;
  readonly log: Log;
  /** A worker failed repeatedly. */
  readonly onGivingUp: () => void;
}

interface Slot {
  readonly index: number;
  worker: Worker | undefined;
  startedAtMs: number;
  /** Consecutive exits, each soon after the start. */
  failures: number;
  timer: Timer | undefined;
}

const READY_MS = 120_000;
const STEADY_MS = 60_000;
const PAUSES_MS = [0, 500, 2_000, 5_000, 15_000];

/** The worker processes that share a port: starts them, restarts those that die, stops them together. */
export class WorkerPool<WorkerAssignment> {
  readonly #deps: PoolDeps<WorkerAssignment>;
  readonly #slots: readonly Slot[];
  #home = '';
  #running = false;
  #stopping = false;

  constructor(deps: PoolDeps<WorkerAssignment>) {
    this.#deps = deps;
    this.#slots = Array.from({ length: deps.size }, (_, index) => ({
      index,
      worker: undefined,
      startedAtMs: 0,
      failures: 0,
      timer: undefined,
    }));
  }

  /** Resolves when all are ready; only the first one recovers state. Rejects when one exits before that. */
  async start(): Promise<ReadyWorker> {
    const [first, ...others] = this.#slots;
    if (!first) throw new Error('a service has a process at least');
    const ready = await this.#launch(first, true);
    await Promise.all(others.map((slot) => this.#launch(slot, false)));
    this.#running = true;
    return ready;
  }

  /** Lets each worker finish its calls, then kills those that take longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const { clock } = this.#deps;
    const gone = this.#slots.map((slot) => {
      clock.clearTimeout(slot.timer);
      const { worker } = slot;
      if (!worker || worker.isDead()) return undefined;
      tell(worker, { type: 'stop' });
      const timer = clock.setTimeout(() => worker.process.kill('SIGKILL'), graceMs);
      return new Promise<void>((resolve) => {
        worker.once('exit', () => {
          clock.clearTimeout(timer);
          resolve();
        });
      });
    });
    await Promise.all(gone);
  }

  #launch(slot: Slot, opensService: boolean): Promise<ReadyWorker> {
    const { clock, log, createAssignment } = this.#deps;
    const assignment = createAssignment(slot.index, opensService);
    const worker = cluster.fork();
    slot.worker = worker;
    slot.startedAtMs = clock.now();
    handOverConnectionsOfTheDead(worker);
    if (slot.index === 0) this.#moveHome(assignment.nodeId);
    const timer = clock.setTimeout(() => worker.process.kill('SIGKILL'), READY_MS);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'here') {
          tell<WorkerAssignment>(worker, { type: 'assignment', assignment });
          tell(worker, { type: 'home', nodeId: this.#home });
          return;
        }
        clock.clearTimeout(timer);
        resolve(message);
      });
      worker.on('error', (error) => log.error({ err: error, slot: slot.index }, 'a worker failed'));
      worker.once('exit', (code, signal) => {
        clock.clearTimeout(timer);
        this.#tellAll({ type: 'died', nodeId: assignment.nodeId });
        reject(new Error(`a process of the service ended with ${signal ?? code}`));
        if (this.#running && !this.#stopping) this.#restart(slot, signal ?? code);
      });
    });
  }

  #restart(slot: Slot, end: string | number): void {
    const { clock, log, onGivingUp } = this.#deps;
    const isEarly = clock.now() - slot.startedAtMs < STEADY_MS;
    slot.failures = isEarly ? slot.failures + 1 : 1;
    const pauseMs = PAUSES_MS[slot.failures - 1];
    if (pauseMs === undefined) {
      log.error({ slot: slot.index, end }, 'a process of the service keeps ending: giving up');
      onGivingUp();
      return;
    }
    log.error({ slot: slot.index, end, pauseMs }, 'a process of the service ended: restarting it');
    slot.timer = clock.setTimeout(() => {
      this.#launch(slot, false).then(
        () => log.info({ slot: slot.index }, 'a process of the service is back'),
        // A failed start ends in an exit, which is handled like any other.
        () => undefined,
      );
    }, pauseMs);
  }

  #moveHome(nodeId: string): void {
    this.#home = nodeId;
    this.#tellAll({ type: 'home', nodeId });
  }

  #tellAll(message: ToWorker<WorkerAssignment>): void {
    for (const { worker } of this.#slots) if (worker) tell(worker, message);
  }
}

function tell<WorkerAssignment>(worker: Worker, message: ToWorker<WorkerAssignment>): void {
  // A worker that has exited needs no message.
  if (worker.isConnected()) worker.send(message, () => undefined);
}
