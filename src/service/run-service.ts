import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import closeWithGrace from 'close-with-grace';
import { type FromWorker, WorkerPool } from '../cluster/worker-pool.ts';
import type { Config } from '../config/config.ts';
import { uuidv7 } from '../lib/ids.ts';
import { systemClock } from '../lib/system-clock.ts';
import { createLog } from '../telemetry/log.ts';
import type { FirstCredentials } from './first-start.ts';
import { openServiceDatabase } from './service-store.ts';
import { claimAssignment, type WorkerAssignment } from './worker-assignment.ts';

/** A service that is ready for calls. */
interface Started extends FirstCredentials {
  readonly address: string;
}

/** Time for closing after the last call has ended. */
const CLOSING_SECONDS = 15;

/** Only a process that takes calls loads what they need. */
const loadApp = () => import('./app.ts');

const graceMsOf = ({ drainSeconds }: Config) => (drainSeconds + CLOSING_SECONDS) * 1000;

/** The service as one process. */
export async function runAlone(config: Config): Promise<Started> {
  const { createApp } = await loadApp();
  const app = await createApp(config);
  const address = await app.listen();
  // Lets live calls finish before the process exits.
  closeWithGrace({ delay: graceMsOf(config) }, async ({ err }) => {
    if (err) app.log.error({ err }, 'stopping after an unforeseen error');
    await app.close();
  });
  return { address, ...app.first };
}

/**
 * The service as several processes on one port. This one takes no calls: it opens the database, hands connections to
 * the workers in turn, and restarts those that die.
 */
export async function runTogether(config: Config): Promise<Started> {
  const log = createLog(config.logLevel);
  const database = await openServiceDatabase(config, { log });
  const serviceId = uuidv7();
  const builtInCarrier = await placeBuiltInCarrier();
  const close = async () => {
    await pool.stop();
    await database.close();
  };
  const pool = new WorkerPool<WorkerAssignment>({
    size: config.processes,
    graceMs: graceMsOf(config),
    clock: systemClock,
    log,
    createAssignment: (_slot, opensService) => ({
      nodeId: uuidv7(),
      serviceId,
      connection: database.connection,
      opensService,
      builtInCarrier,
    }),
    onGivingUp: () => void close().finally(() => process.exit(1)),
  });
  try {
    const started = await pool.start();
    process.on('SIGUSR2', () => {
      log.info('the processes of the service are replaced, one after the other');
      void pool.restart();
    });
    // Longer than the workers have.
    const delay = graceMsOf(config) + 5000;
    closeWithGrace({ delay, skip: ['SIGUSR2'] }, async ({ err }) => {
      if (err) log.error({ err }, 'stopping after an unforeseen error');
      await close();
    });
    return started;
  } catch (error) {
    await close();
    throw error;
  }
}

/** One worker of a service of several processes. */
export async function runWorker(config: Config): Promise<void> {
  // A terminal signals the whole process group, but the primary process decides when a worker stops.
  for (const signal of ['SIGINT', 'SIGUSR2']) process.on(signal, () => undefined);
  process.on('SIGTERM', () => process.send?.({ type: 'leaving' } satisfies FromWorker));
  // Without the primary process there is no port, and perhaps no database.
  process.on('disconnect', () => process.exit(1));
  let retires = false;
  let stop = () => process.exit(0);
  const assignment = await claimAssignment((how) => {
    retires = how === 'retire';
    stop();
  });
  const { createApp } = await loadApp();
  const app = await createApp(config, assignment);
  const closing = closeWithGrace(
    { delay: graceMsOf(config), skip: ['SIGINT', 'SIGTERM', 'SIGUSR2'] },
    async ({ err }) => {
      if (err) app.log.error({ err }, 'stopping after an unforeseen error');
      await app.close({ retires });
    },
  );
  stop = () => closing.close() as never;
  const address = await app.listen();
  process.send?.({ type: 'ready', address, ...app.first });
}

async function placeBuiltInCarrier(): Promise<WorkerAssignment['builtInCarrier']> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const hex = () => randomBytes(16).toString('hex');
  return { port, credentials: { accountSid: `AC${hex()}`, authToken: hex() } };
}
