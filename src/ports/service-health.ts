/** Jobs of one kind. */
export interface JobFigures {
  readonly kind: string;
  readonly waiting: number;
  readonly active: number;
  /** Failed for good within the last day. */
  readonly failed: number;
  /** How long the oldest job has been due, in seconds; 0 if none is. */
  readonly dueSeconds: number;
}

/** What the processes of a service know about it. */
export interface ServiceFigures {
  /** The processes that use the database. */
  readonly processes: number;
  /** Those of them that have given no sign within their lease. */
  readonly silent: number;
  /** Processes of this service, and how many there should be. */
  readonly own: number;
  readonly wanted: number;
  readonly jobs: readonly JobFigures[];
  readonly isDiskFull: boolean;
  /** Undefined where the system does not tell. */
  readonly freeBytes: number | undefined;
  /** Entries of the audit log that could not be written yet. */
  readonly unwrittenAudit: number;
}

export type ReadServiceFigures = () => Promise<ServiceFigures>;
