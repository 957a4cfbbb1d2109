import { join } from 'node:path';

/** A table in a backup. */
export interface SavedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** The database in a backup. */
export interface Snapshot {
  /** The last migration that had been applied, by its time in the journal of migrations. */
  readonly migratedTo: number;
  readonly tables: readonly SavedTable[];
}

/** What `copy` writes of a table, in its text format, compressed. */
export function fileOfTable(folder: string, name: string): string {
  return join(folder, `${name}.gz`);
}

/** Of jobs, which are written into the queue anew: its own tables belong to the version of its library. */
export const UNFINISHED_JOBS = `select json_build_object(
    'name', name, 'data', data, 'key', singleton_key, 'group', group_id, 'priority', priority, 'startAfter', start_after,
    'retryLimit', retry_limit - retry_count, 'retryDelay', retry_delay, 'retryDelayMax', retry_delay_max,
    'expireInSeconds', expire_seconds)
  from jobs.job where state in ('created', 'retry', 'active')`;

/** An unfinished job as a backup has it. */
export interface SavedJob {
  readonly name: string;
  readonly data: object | null;
  readonly key: string | null;
  readonly group: string | null;
  readonly priority: number;
  readonly startAfter: string;
  readonly retryLimit: number;
  readonly retryDelay: number;
  readonly retryDelayMax: number | null;
  readonly expireInSeconds: number;
}
