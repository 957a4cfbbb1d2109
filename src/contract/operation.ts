import type { z } from 'zod';
import type { ProblemKind } from './errors.ts';
import type { Access } from './role.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The errors an operation can return in addition to those of every operation. */
type OperationError = Extract<
  ProblemKind,
  | 'invalid'
  | 'missing'
  | 'conflict'
  | 'attached'
  | 'not-live'
  | 'vendor'
  | 'no-space'
  | 'over-limit'
  | 'not-callable'
  | 'untested'
>;

/** The response on success. Without a schema the body is not JSON but one of `contentTypes`. */
interface OperationResponse {
  readonly status: 200 | 201;
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly contentTypes?: readonly string[];
}

/**
 * An operation of the API. Its definition validates requests, documents them, and types the handler and the client.
 * Path parameters are in braces.
 */
export interface Operation {
  readonly id: string;
  /** The least role that may do it. */
  readonly role: Access;
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The only part of a `multipart/form-data` body. */
  readonly upload?: { readonly part: string; readonly description: string };
  readonly response: OperationResponse;
  readonly errors: readonly OperationError[];
  /** Creates a resource and supports `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Reads or changes a single resource: has an `ETag` and supports preconditions. */
  readonly conditional?: boolean;
  /** Supports an upgrade to a WebSocket. */
  readonly upgrades?: boolean;
  /** A list with the next page in the `Link` header. */
  readonly paged?: boolean;
  /** The contract's message for internal errors. */
  readonly failure?: string;
  /** The contract's message for invalid input, if it defines one. */
  readonly invalidMessage?: string;
}

/** Checks the type of an operation without widening its schemas. */
export function operation<const O extends Operation>(definition: O): O {
  return definition;
}

type Parsed<O, Part extends string> =
  O extends Readonly<Record<Part, infer S extends z.ZodType>> ? z.output<S> : undefined;

/** The validated parts of a request, for the handler. */
export interface OperationInput<O extends Operation> {
  readonly params: Parsed<O, 'params'>;
  readonly query: Parsed<O, 'query'>;
  readonly body: Parsed<O, 'body'>;
}

/** The result of a handler. */
export type OperationOutput<O extends Operation> = Parsed<O['response'], 'schema'>;
