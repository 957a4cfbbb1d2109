import type { z } from 'zod';
import type { ProblemKind } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The errors an operation can answer with, besides those every operation can. */
export type OperationError = Exclude<
  ProblemKind,
  'malformed' | 'unauthorized' | 'too-large' | 'unsupported-media-type' | 'internal' | 'unavailable'
>;

/** The success answer. Without a schema the body is not JSON: `contentTypes` says what it is. */
export interface OperationResponse<R extends z.ZodType = z.ZodType> {
  readonly status: 200 | 201;
  readonly description: string;
  readonly schema?: R;
  readonly contentTypes?: readonly string[];
}

/**
 * One operation of the API: what validates its request, documents it, and types its handler and
 * its client. Path parameters stand in braces.
 */
export interface Operation<
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response: OperationResponse<R>;
  readonly errors: readonly OperationError[];
  /** The contract's message when the service itself fails. */
  readonly failure?: string;
  /** The contract's message for any invalid input, where it has one. */
  readonly invalidMessage?: string;
}

/** Names an operation without widening its schemas. */
export function operation<
  const P extends z.ZodObject,
  const Q extends z.ZodObject,
  const B extends z.ZodType,
  const R extends z.ZodType,
>(definition: Operation<P, Q, B, R>): Operation<P, Q, B, R> {
  return definition;
}

/** What a handler gets: the validated parts of the request. */
export interface OperationInput<O extends Operation> {
  readonly params: O extends { params?: infer P extends z.ZodObject } ? z.output<P> : never;
  readonly query: O extends { query?: infer Q extends z.ZodObject } ? z.output<Q> : never;
  readonly body: O extends { body?: infer B extends z.ZodType } ? z.output<B> : never;
}

/** What a handler returns. */
export type OperationOutput<O extends Operation> =
  O['response'] extends OperationResponse<infer R> ? z.output<R> : never;
