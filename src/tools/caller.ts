import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';

/** What the predefined tools know about the call they run in. */
export interface CallerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly teamId: string;
  readonly assistantId: string | null;
  /** The caller's number, if known. */
  readonly callerNumber: string | null;
  /** The language in which days and times are spoken. */
  readonly language: string;
}

/** Why a tool refuses a request, in words for the model. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** A text among a model's arguments, trimmed; empty when it is absent. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Keeps only digits and plus signs, so equal numbers are equal strings. */
export const phoneOf = (value: unknown): string => textOf(value).replace(/[^+\d]/g, '');
