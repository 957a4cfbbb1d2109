import { PgBoss } from 'pg-boss';
import { uuidv7 } from '../lib/ids.ts';
import { readSavedJobs } from '../store/backup/saved-jobs.ts';
import { type Connection, connectionConfig } from '../store/pool.ts';
import { SCHEMA } from './jobs.ts';

/** Puts the unfinished jobs of a backup on the queue of a restored database, before a service runs on it. */
export async function requeueJobs(connection: Connection, folder: string): Promise<void> {
  const boss = new PgBoss({ ...connectionConfig(connection), schema: SCHEMA, max: 1 });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    for await (const job of readSavedJobs(folder)) {
      // As the service declares it at its start.
      await boss.createQueue(job.name, { policy: 'short' });
      await boss.send(job.name, job.data ?? {}, {
        ...{ priority: job.priority, startAfter: new Date(job.startAfter) },
        ...{ retryLimit: Math.max(1, job.retryLimit), retryDelay: job.retryDelay },
        ...{ retryBackoff: true, expireInSeconds: job.expireInSeconds },
        ...(job.retryDelayMax === null ? {} : { retryDelayMax: job.retryDelayMax }),
        singletonKey: job.key ?? uuidv7(),
        ...(job.group === null ? {} : { group: { id: job.group } }),
      });
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
