import type { z } from 'zod';
import type { ProblemKind } from './errors.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The errors an operation can answer with, besides those every operation can. */
type OperationError = Extract<
  ProblemKind,
  'invalid' | 'missing' | 'conflict' | 'attached' | 'not-live' | 'vendor' | 'no-space'
>;

/** The success answer. Without a schema the body is not JSON: `contentTypes` says what it is. */
interface OperationResponse {
  readonly status: 200 | 201;
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly contentTypes?: readonly string[];
}

/**
 * One operation of the API: what validates its request, documents it, and types its handler and
 * its client. Path parameters stand in braces.
 */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The one part of a `multipart/form-data` body. */
  readonly upload?: { readonly part: string; readonly description: string };
  readonly response: OperationResponse;
  readonly errors: readonly OperationError[];
  /** Creates something: `Idempotency-Key` is honoured. */
  readonly idempotent?: boolean;
  /** Reads or changes a single resource: it has an `ETag`, and preconditions are honoured. */
  readonly conditional?: boolean;
  /** Becomes a WebSocket when the client asks for that. */
  readonly upgrades?: boolean;
  /** A list whose next page stands in the `Link` header. */
  readonly paged?: boolean;
  /** The contract's message when the service itself fails. */
  readonly failure?: string;
  /** The contract's message for any invalid input, where it has one. */
  readonly invalidMessage?: string;
}

/** Checks the shape of an operation without widening its schemas. */
export function operation<const O extends Operation>(definition: O): O {
  return definition;
}

type Parsed<O, Part extends string> =
  O extends Readonly<Record<Part, infer S extends z.ZodType>> ? z.output<S> : undefined;

/** What a handler gets: the validated parts of the request. */
export interface OperationInput<O extends Operation> {
  readonly params: Parsed<O, 'params'>;
  readonly query: Parsed<O, 'query'>;
  readonly body: Parsed<O, 'body'>;
}

/** What a handler returns. */
export type OperationOutput<O extends Operation> = Parsed<O['response'], 'schema'>;
