import pg from 'pg';
import { type LimitCode, limitSentence } from '../contract/team.ts';
import type { Resource } from './resource.ts';

const { DatabaseError } = pg;

export type StoreErrorCode =
  | 'not-found'
  | 'version-conflict'
  | 'locked'
  | 'illegal-transition'
  | 'in-use'
  | 'attached'
  | 'last-admin'
  | 'role-lost'
  | 'email-taken'
  | 'over-limit'
  | 'suspended'
  | 'team-deleted'
  | 'first-team'
  | 'held'
  | 'name-taken'
  | 'call-taken'
  | 'unavailable'
  | 'unreadable'
  | 'query-failed';

/** Base class of the store's errors; `code` tells them apart. */
export abstract class StoreError extends Error {
  abstract readonly code: StoreErrorCode;
  /** True if the same request may succeed later. */
  readonly retryable: boolean = false;
}

/** The team does not have this object. */
export class NotFoundError extends StoreError {
  override readonly name = 'NotFoundError';
  readonly code = 'not-found';
  readonly resource: Resource;
  readonly id: string;

  constructor(resource: Resource, id: string) {
    super(`${resource} not found: ${id}`);
    this.resource = resource;
    this.id = id;
  }
}

/** The stored version is newer than the one that the caller has read. */
export class VersionConflictError extends StoreError {
  override readonly name = 'VersionConflictError';
  readonly code = 'version-conflict';
  readonly resource: Resource;
  readonly id: string;
  readonly currentVersion: number;

  constructor(resource: Resource, id: string, currentVersion: number) {
    super(`${resource} ${id} is at version ${currentVersion}`);
    this.resource = resource;
    this.id = id;
    this.currentVersion = currentVersion;
  }
}

/** Entries marked `updatable: false` cannot be changed. */
export class LockedError extends StoreError {
  override readonly name = 'LockedError';
  readonly code = 'locked';
  readonly resource: Resource;
  readonly ids: readonly string[];

  constructor(resource: Resource, ids: readonly string[]) {
    super(`${resource} locked: ${ids.join(', ')}`);
    this.resource = resource;
    this.ids = ids;
  }
}

/** The status cannot follow the stored one. */
export class IllegalTransitionError extends StoreError {
  override readonly name = 'IllegalTransitionError';
  readonly code = 'illegal-transition';
  readonly from: string;
  readonly to: string;

  constructor(resource: Resource, id: string, from: string, to: string) {
    super(`${resource} ${id} can't go from ${from} to ${to}`);
    this.from = from;
    this.to = to;
  }
}

/** Objects in use cannot be deleted. */
export class InUseError extends StoreError {
  override readonly name = 'InUseError';
  readonly code = 'in-use';
  readonly resource: Resource;
  readonly users: readonly { readonly id: string; readonly name: string }[];

  constructor(
    resource: Resource,
    id: string,
    users: readonly { readonly id: string; readonly name: string }[],
  ) {
    super(`${resource} ${id} is in use`);
    this.resource = resource;
    this.users = users;
  }
}

/** Files attached to knowledge bases cannot be deleted. */
export class FileAttachedError extends StoreError {
  override readonly name = 'FileAttachedError';
  readonly code = 'attached';
  readonly knowledgeBases: readonly { readonly id: string; readonly title: string }[];

  constructor(
    id: string,
    knowledgeBases: readonly { readonly id: string; readonly title: string }[],
  ) {
    super(`file ${id} is attached`);
    this.knowledgeBases = knowledgeBases;
  }
}

/** The team has reached one of its limits. The message is for people. */
export class OverLimitError extends StoreError {
  override readonly name = 'OverLimitError';
  readonly code = 'over-limit';
  readonly limit: LimitCode;
  /** Absent: nobody knows when there will be room. */
  readonly retryAfterSeconds: number | undefined;

  constructor(limit: LimitCode, value: number, retryAfterSeconds?: number) {
    super(limitSentence(limit, value));
    this.limit = limit;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The operator has suspended the team. The message is for people. */
export class SuspendedError extends StoreError {
  override readonly name = 'SuspendedError';
  readonly code = 'suspended';

  constructor(reason: string) {
    super(`The team is suspended: ${reason}`);
  }
}

/** The team is being deleted. */
export class TeamDeletedError extends StoreError {
  override readonly name = 'TeamDeletedError';
  readonly code = 'team-deleted';

  constructor() {
    super('The team is being deleted');
  }
}

/** The oldest team cannot be deleted. */
export class FirstTeamError extends StoreError {
  override readonly name = 'FirstTeamError';
  readonly code = 'first-team';

  constructor() {
    super(
      'This is the first team, which the API_KEY of the service belongs to: suspend it instead',
    );
  }
}

/** A hold forbids the deletion. The message is for people. */
export class HeldError extends StoreError {
  override readonly name = 'HeldError';
  readonly code = 'held';
}

/** The team would have no admin left. */
export class LastAdminError extends StoreError {
  override readonly name = 'LastAdminError';
  readonly code = 'last-admin';

  constructor() {
    super(
      'The team has no other admin who is there to stay, a person or a key that does not expire: make one first',
    );
  }
}

/** Whoever asks was an admin when the request came, and is none any more. */
export class RoleLostError extends StoreError {
  override readonly name = 'RoleLostError';
  readonly code = 'role-lost';

  constructor() {
    super('You are not an admin of the team any more');
  }
}

/** Somebody signs in with this address already, in this team or another. */
export class EmailTakenError extends StoreError {
  override readonly name = 'EmailTakenError';
  readonly code = 'email-taken';

  constructor() {
    super('Somebody signs in with this address already');
  }
}

/** The name is taken within the team. */
export class NameTakenError extends StoreError {
  override readonly name = 'NameTakenError';
  readonly code = 'name-taken';
  readonly resource: Resource;

  constructor(resource: Resource, name: string) {
    super(`there is already a ${resource} named ${name}`);
    this.resource = resource;
  }
}

/** Another process has taken the call over, or ended it: this one may not write to its record any more. */
export class CallTakenError extends StoreError {
  override readonly name = 'CallTakenError';
  readonly code = 'call-taken';

  constructor(id: string) {
    super(`call ${id} belongs to another process by now`);
  }
}

/** The database cannot be reached or did not answer in time. */
export class StoreUnavailableError extends StoreError {
  override readonly name = 'StoreUnavailableError';
  readonly code = 'unavailable';
  override readonly retryable = true;
}

/** The database rejected a statement: a fault of this program, not of the caller. */
export class QueryFailedError extends StoreError {
  override readonly name = 'QueryFailedError';
  readonly code = 'query-failed';
  /** Error code of Postgres. */
  readonly sqlState: string | undefined;

  constructor(message: string, sqlState: string | undefined, cause: unknown) {
    super(message, { cause });
    this.sqlState = sqlState;
  }
}

// Connection lost, server starting or stopping, out of resources, read-only after a fail-over, timed out, deadlocked;
// 25P03 and 25P04: this process stood still in the midst of a transaction.
const TRANSIENT_STATES = /^(08|53|57P|57014|25006|25P0[34]|40001|40P01|55P03)/;

/** Converts errors of queries and connections to store errors; invalid arguments (TypeError, RangeError) stay as they are. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  if (error instanceof DatabaseError) {
    const { code = '' } = error;
    // The plan predates a migration; a new connection makes a new plan.
    const stale = code === '0A000' && error.routine === 'RevalidateCachedQuery';
    return TRANSIENT_STATES.test(code) || stale
      ? new StoreUnavailableError(`the database could not answer: ${error.message}`, {
          cause: error,
        })
      : new QueryFailedError(`the database refused a statement: ${error.message}`, code, error);
  }
  // The driver was called with invalid values; all its other errors are connection errors.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return new StoreUnavailableError(`the database is out of reach: ${reason(error)}`, {
    cause: error,
  });
}

function reason(error: Error): string {
  // Several addresses were tried; the aggregate error has no message of its own.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return (first instanceof Error ? first : error).message;
}
