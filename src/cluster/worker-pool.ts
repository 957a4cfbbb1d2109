import cluster, { type Worker } from 'node:cluster';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { handOverConnectionsOfTheDead } from './hand-over-connections.ts';

/** Messages from a worker to the primary process. */
export type FromWorker =
  /** The worker listens now: messages sent earlier were lost. */
  | { readonly type: 'here' }
  | ReadyWorker
  /** The worker was told to end by somebody else. */
  | { readonly type: 'leaving' }
  /** The worker is about to end and has left to another what only one may run. */
  | { readonly type: 'left-home' };

interface ReadyWorker {
  readonly type: 'ready';
  readonly address: string;
  readonly newKey?: string | undefined;
  readonly invitation?: string | undefined;
}

/** Messages from the primary process to a worker. */
export type ToWorker<WorkerAssignment> =
  | { readonly type: 'assignment'; readonly assignment: WorkerAssignment }
  /** The node that runs what only one process of the service may run. */
  | { readonly type: 'home'; readonly nodeId: string }
  /** The process of this node has ended. */
  | { readonly type: 'died'; readonly nodeId: string }
  /** Another process takes its place. */
  | { readonly type: 'retire' }
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
  /** A worker that takes longer to end is killed. */
  readonly graceMs: number;
  /** A worker failed repeatedly, and no other is there to take calls. */
  readonly onGivingUp: () => void;
  /** Starts a process. @defaultValue `cluster.fork` */
  readonly fork?: () => Worker;
}

interface Slot {
  readonly index: number;
  nodeId: string;
  worker: Worker | undefined;
  isReady: boolean;
  /** It was asked to end, so its end is no failure; settles with whether another is ready in its place. */
  retiring: PromiseWithResolvers<boolean> | undefined;
  startedAtMs: number;
  /** Consecutive exits, each soon after the start. */
  failures: number;
  timer: Timer | undefined;
}

const READY_MS = 120_000;
/** Whoever stops the whole service may signal its workers too: what the primary process is told comes first. */
const ALL_STOP_MS = 300;
const STEADY_MS = 60_000;
const PAUSES_MS = [0, 500, 2_000, 5_000, 15_000] as const;
const LONGEST_PAUSE_MS = PAUSES_MS[4];
/** The calls of the dead come back to the others first, which need the processor that a start takes. */
const CALLS_FIRST_MS = 2000;

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
      nodeId: '',
      worker: undefined,
      isReady: false,
      retiring: undefined,
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

  /** Lets each worker finish its calls. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const { clock, graceMs } = this.#deps;
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

  /**
   * Replaces one worker after the other. Resolves when all were replaced or a new one did not start.
   */
  async restart(): Promise<void> {
    for (const slot of this.#slots) if (!(await this.#replace(slot))) return;
  }

  /** True once another worker is ready in its place. */
  #replace(slot: Slot): Promise<boolean> {
    const { worker } = slot;
    if (slot.retiring) return slot.retiring.promise;
    // One that is only starting is new anyway.
    if (this.#stopping || !worker || !slot.isReady) return Promise.resolve(!this.#stopping);
    slot.retiring = Promise.withResolvers();
    tell(worker, { type: 'retire' });
    const { clock, graceMs } = this.#deps;
    const timer = clock.setTimeout(() => worker.process.kill('SIGKILL'), graceMs);
    worker.once('exit', () => clock.clearTimeout(timer));
    return slot.retiring.promise;
  }

  #launch(slot: Slot, opensService: boolean): Promise<ReadyWorker> {
    const { clock, log, createAssignment, fork = () => cluster.fork() } = this.#deps;
    const assignment = createAssignment(slot.index, opensService);
    const worker = fork();
    slot.worker = worker;
    slot.nodeId = assignment.nodeId;
    slot.startedAtMs = clock.now();
    handOverConnectionsOfTheDead(worker);
    if (this.#home === '') this.#moveHome(assignment.nodeId);
    const timer = clock.setTimeout(() => worker.process.kill('SIGKILL'), READY_MS);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'here') {
          tell<WorkerAssignment>(worker, { type: 'assignment', assignment });
          tell(worker, { type: 'home', nodeId: this.#home });
          return;
        }
        if (message.type === 'leaving') {
          clock.setTimeout(() => void this.#replace(slot), ALL_STOP_MS);
          return;
        }
        if (message.type === 'left-home') {
          slot.isReady = false;
          this.#leaveHome(assignment.nodeId);
          return;
        }
        clock.clearTimeout(timer);
        slot.isReady = true;
        resolve(message);
      });
      worker.on('error', (error) => log.error({ err: error, slot: slot.index }, 'a worker failed'));
      worker.once('exit', (code, signal) => {
        clock.clearTimeout(timer);
        slot.isReady = false;
        this.#tellAll({ type: 'died', nodeId: assignment.nodeId });
        this.#leaveHome(assignment.nodeId);
        reject(new Error(`a process of the service ended with ${signal ?? code}`));
        const { retiring } = slot;
        slot.retiring = undefined;
        if (!this.#running || this.#stopping) retiring?.resolve(false);
        else if (retiring) void this.#relaunch(slot).then(retiring.resolve);
        else this.#restart(slot, signal ?? code);
      });
    });
  }

  #restart(slot: Slot, end: string | number): void {
    const { clock, log, onGivingUp } = this.#deps;
    const isEarly = clock.now() - slot.startedAtMs < STEADY_MS;
    slot.failures = isEarly ? slot.failures + 1 : 1;
    const isGivenUp = slot.failures > PAUSES_MS.length;
    const othersAreReady = this.#slots.some(({ isReady }) => isReady);
    // The calls of the other processes must not end because this one keeps failing.
    if (isGivenUp && !othersAreReady) {
      log.error({ slot: slot.index, end }, 'a process of the service keeps ending: giving up');
      onGivingUp();
      return;
    }
    const pauseMs = Math.max(
      PAUSES_MS[slot.failures - 1] ?? LONGEST_PAUSE_MS,
      othersAreReady ? CALLS_FIRST_MS : 0,
    );
    log.error({ slot: slot.index, end, pauseMs }, 'a process of the service ended: restarting it');
    slot.timer = clock.setTimeout(() => void this.#relaunch(slot), pauseMs);
  }

  /** False if it did not start: that ends in an exit, which is handled like any other. */
  #relaunch(slot: Slot): Promise<boolean> {
    return this.#launch(slot, false).then(
      () => {
        this.#deps.log.info({ slot: slot.index }, 'a process of the service is back');
        return true;
      },
      () => false,
    );
  }

  /** One that is there already has no start to wait for; else it is the next that starts. */
  #leaveHome(nodeId: string): void {
    if (this.#home === nodeId)
      this.#moveHome(this.#slots.find(({ isReady }) => isReady)?.nodeId ?? '');
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
