import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import closeWithGrace from 'close-with-grace';
import { WorkerPool } from '../cluster/worker-pool.ts';
import type { Config } from '../config/config.ts';
import { openSealer } from '../config/encryption-key.ts';
import { uuidv7 } from '../lib/ids.ts';
import { systemClock } from '../lib/system-clock.ts';
import { createLog } from '../telemetry/log.ts';
import { createApp } from './app.ts';
import { claimAssignment, openStore, type WorkerAssignment } from './worker-assignment.ts';

/** A service that takes calls. */
interface Started {
  readonly address: string;
  readonly newKey?: string | undefined;
}

/** What closing takes besides the calls' own time. */
const CLOSING_SECONDS = 15;

const graceMsOf = ({ drainSeconds }: Config) => (drainSeconds + CLOSING_SECONDS) * 1000;

/** The service as one process. */
export async function runAlone(config: Config): Promise<Started> {
  const app = await createApp(config);
  const address = await app.listen();
  // The last word before the process goes: live calls finish first.
  closeWithGrace({ delay: graceMsOf(config) }, async ({ err }) => {
    if (err) app.log.error({ err }, 'stopping after an unforeseen error');
    await app.close();
  });
  return { address, newKey: app.newKey };
}

/**
 * The service as several processes on one port. This one takes no calls: it has the database, hands the connections
 * to the others in turn, and starts the ones anew that die.
 */
export async function runTogether(config: Config): Promise<Started> {
  const log = createLog(config.logLevel);
  const sealer = await openSealer(config);
  const database = await openStore(config, undefined, { sealer, log });
  const serviceId = uuidv7();
  const builtInCarrier = await placeBuiltInCarrier();
  const close = async () => {
    await pool.stop(graceMsOf(config));
    await database.close();
  };
  const pool = new WorkerPool<WorkerAssignment>({
    size: config.processes,
    clock: systemClock,
    log,
    seatOf: (slot, opensService) => ({
      nodeId: uuidv7(),
      serviceId,
      connection: database.connection,
      opensService,
      builtInCarrier,
      isHome: slot === 0,
    }),
    onGivingUp: () => void close().finally(() => process.exit(1)),
  });
  try {
    const started = await pool.start();
    // Beyond the time that the others have.
    closeWithGrace({ delay: graceMsOf(config) + 5000 }, async ({ err }) => {
      if (err) log.error({ err }, 'stopping after an unforeseen error');
      await close();
    });
    return started;
  } catch (error) {
    await close();
    throw error;
  }
}

/** One of those processes. */
export async function runWorker(config: Config): Promise<void> {
  // A terminal tells the whole group; who stops when is for the one that started this.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  // Without it there is no port, perhaps no database.
  process.on('disconnect', () => process.exit(1));
  let stop = () => process.exit(0);
  const seat = await claimAssignment(() => stop());
  const app = await createApp(config, seat);
  const closing = closeWithGrace(
    { delay: graceMsOf(config), skip: ['SIGINT', 'SIGTERM'] },
    async ({ err }) => {
      if (err) app.log.error({ err }, 'stopping after an unforeseen error');
      await app.close();
    },
  );
  stop = () => closing.close() as never;
  const address = await app.listen();
  process.send?.({ type: 'ready', address, newKey: app.newKey });
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
