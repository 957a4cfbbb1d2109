import type { FromWorker, ToWorker } from '../cluster/worker-pool.ts';
import type { Connection } from '../store/pool.ts';

/** Where the built-in carrier of a service runs: in one of its processes. */
export interface BuiltInCarrierPlace {
  readonly port: number;
  readonly credentials: { readonly accountSid: string; readonly authToken: string };
}

/** What the primary process tells a worker about its part in the service. */
export interface WorkerAssignment {
  readonly nodeId: string;
  readonly serviceId: string;
  /** To the database, which is open already. */
  readonly connection: Connection;
  /** True for the first worker, which recovers state before others start. */
  readonly opensService: boolean;
  readonly builtInCarrier: BuiltInCarrierPlace;
}

/** An assignment as its worker holds it. */
export interface ClaimedAssignment extends WorkerAssignment {
  /** The node that runs the built-in carrier now; empty until it is known. */
  homeNodeId(): string;
  /** Calls back once this worker is to run the built-in carrier: at once, or when the one that did has ended. */
  onHome(listener: () => void): void;
  /** Leaves the built-in carrier to another worker; its port must be free. */
  leaveHome(): void;
  /** Calls back when another process of the service has died, with the id of its node. */
  onDeath(listener: (nodeId: string) => void): void;
}

/** Waits for this worker's assignment; `onStop` is called when the primary process asks the worker to stop or retire. */
export function claimAssignment(
  onStop: (how: 'stop' | 'retire') => void,
): Promise<ClaimedAssignment> {
  let home = '';
  const here = Promise.withResolvers<void>();
  const onHome = (listener: () => void) => void here.promise.then(listener);
  const leaveHome = () => void process.send?.({ type: 'left-home' } satisfies FromWorker);
  let died: (nodeId: string) => void = () => undefined;
  const onDeath = (listener: typeof died) => {
    died = listener;
  };
  let nodeId: string | undefined;
  return new Promise((resolve) => {
    process.on('message', (message: ToWorker<WorkerAssignment>) => {
      if (message.type === 'assignment') {
        ({ nodeId } = message.assignment);
        resolve({ ...message.assignment, homeNodeId: () => home, onHome, leaveHome, onDeath });
      } else if (message.type === 'home') {
        home = message.nodeId;
        if (home === nodeId) here.resolve();
      } else if (message.type === 'died') died(message.nodeId);
      else onStop(message.type);
    });
    process.send?.({ type: 'here' } satisfies FromWorker);
  });
}
