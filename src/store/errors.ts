/** What kinds of thing the store keeps, as its errors name them. */
export type Resource =
  | 'team'
  | 'api-key'
  | 'assistant'
  | 'knowledge-base'
  | 'faq-entry'
  | 'call'
  | 'idempotency-key';

export type StoreErrorCode =
  | 'not-found'
  | 'version-conflict'
  | 'locked'
  | 'illegal-transition'
  | 'unavailable'
  | 'in-use';

/** Every error the store raises on purpose; `code` says which. */
export abstract class StoreError extends Error {
  abstract readonly code: StoreErrorCode;
  /** The same request may succeed later. */
  readonly retryable: boolean = false;
}

/** The team has no such thing. */
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

/** The caller read an older version than the one that is stored. */
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

/** Entries marked `updatable: false` refuse changes. */
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

/** A status can't follow the one that is stored. */
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

/** The database can't be reached, or did not answer in time. */
export class StoreUnavailableError extends StoreError {
  override readonly name = 'StoreUnavailableError';
  readonly code = 'unavailable';
  override readonly retryable = true;
}
