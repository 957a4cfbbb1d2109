import type { FromWorker, ToWorker } from '../cluster/worker-pool.ts';
import type { Config } from '../config/config.ts';
import type { Sealer } from '../lib/seal.ts';
import type { Log } from '../ports/log.ts';
import { connectDatabase, type Database, openDatabase } from '../store/database.ts';
import type { Connection } from '../store/pool.ts';

/** The built-in carrier of a service, which lives in one of its processes. */
export interface BuiltInCarrierPlace {
  readonly port: number;
  readonly credentials: { readonly accountSid: string; readonly authToken: string };
}

/** The place of a process that shares a port with others, as given by the one that started it. */
export interface WorkerAssignment {
  readonly nodeId: string;
  readonly serviceId: string;
  /** The database that is open already. */
  readonly connection: Connection;
  /** The first of all: it puts in order what a former run left, and nobody else is at work. */
  readonly opensService: boolean;
  readonly builtInCarrier: BuiltInCarrierPlace;
  /** Whether the built-in carrier is here. */
  readonly isHome: boolean;
}

/** A seat that was taken. */
export interface ClaimedAssignment extends WorkerAssignment {
  /** The node with the built-in carrier. */
  homeNodeId(): string;
}

const CONNECTIONS = 8;

/** Waits for this worker's seat; `onStop` is told when to let go of it. */
export function claimAssignment(onStop: () => void): Promise<ClaimedAssignment> {
  let home = '';
  return new Promise((resolve) => {
    process.on('message', (message: ToWorker<WorkerAssignment>) => {
      if (message.type === 'seat') resolve({ ...message.seat, homeNodeId: () => home });
      else if (message.type === 'home') home = message.nodeId;
      else onStop();
    });
    process.send?.({ type: 'here' } satisfies FromWorker);
  });
}

/** The store of this process: opened by itself, or by the one that started it. */
export function openStore(
  { databaseUrl, dataDir, processes }: Pick<Config, 'databaseUrl' | 'dataDir' | 'processes'>,
  seat: WorkerAssignment | undefined,
  { sealer, log }: { readonly sealer: Sealer; readonly log: Log },
): Promise<Database> {
  if (!seat)
    return openDatabase(
      databaseUrl ? { databaseUrl, sealer } : { dataDir, processes, sealer },
      log,
    );
  const { connection } = seat;
  return Promise.resolve(connectDatabase(connection, { size: CONNECTIONS, logger: log, sealer }));
}
