import { mkdir } from 'node:fs/promises';
import { TeamFiles } from '../calls/call-files.ts';
import { keptInBucket } from '../calls/kept-files.ts';
import type { Config } from '../config/config.ts';
import { openSealer } from '../config/encryption-key.ts';
import { closeToOthers } from '../lib/private-files.ts';
import type { Bucket } from '../ports/bucket.ts';
import type { Log } from '../ports/log.ts';
import { S3Bucket } from '../storage/s3-bucket.ts';
import { connectDatabase, type Database, openDatabase } from '../store/database.ts';
import { sealerOf } from '../store/sealing.ts';
import { StorageState } from './storage-state.ts';
import { UnsavedRecords } from './unsaved-records.ts';
import type { WorkerAssignment } from './worker-assignment.ts';

/** The database and the folders of this process. `close` disconnects from the database. */
export interface ServiceStore extends Database {
  readonly recordingsDir: string;
  readonly callFiles: TeamFiles;
  /** Where complete files are kept; undefined: on disk. */
  readonly bucket: Bucket | undefined;
  readonly storage: StorageState;
  readonly unsavedRecords: UnsavedRecords;
}

/** Database connections of a worker. */
const WORKER_CONNECTIONS = 8;

/** Opens the store; the first process of the service also restricts the permissions of its folders. */
export async function openServiceStore(
  config: Config,
  { assignment, log }: { readonly assignment: WorkerAssignment | undefined; readonly log: Log },
): Promise<ServiceStore> {
  const { dataDir, recordingsDir } = config;
  // Its folders get their permissions one by one: the embedded database may run as another user, who needs access.
  await mkdir(dataDir, { recursive: true });
  const opensService = assignment?.opensService ?? true;
  if (opensService && !(await closeToOthers(recordingsDir)))
    log.warn({ folder: recordingsDir }, 'other users may have access to the folder of recordings');
  const database = await openServiceDatabase(config, { assignment, log });
  const { db } = database;
  const bucket = config.bucket && new S3Bucket(config.bucket);
  return {
    ...database,
    recordingsDir,
    bucket,
    callFiles: new TeamFiles({
      ...{ db, now: Date.now, encrypts: config.encryptCalls },
      ...(bucket ? { kept: keptInBucket(bucket, recordingsDir) } : {}),
    }),
    storage: new StorageState(recordingsDir),
    unsavedRecords: new UnsavedRecords(dataDir, log, {
      sealer: sealerOf(db),
      seals: config.encryptCalls,
    }),
  };
}

/** Opens the database, or connects a worker to the one that the primary process has opened. */
export async function openServiceDatabase(
  config: Config,
  { assignment, log }: { readonly assignment?: WorkerAssignment | undefined; readonly log: Log },
): Promise<Database> {
  const { databaseUrl, dataDir, processes, encryptCalls: sealsContent } = config;
  const sealer = await openSealer(config);
  if (assignment)
    return connectDatabase(assignment.connection, {
      size: WORKER_CONNECTIONS,
      logger: log,
      sealer,
      sealsContent,
    });
  const place = databaseUrl ? { databaseUrl } : { dataDir, processes };
  return openDatabase({ ...place, sealer, sealsContent }, log);
}
