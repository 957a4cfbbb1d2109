import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';

/** What the predefined tools know of the call they run in. */
export interface CallerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly teamId: string;
  readonly assistantId: string | null;
  /** The number the caller calls from, where it is known. */
  readonly callerNumber: string | null;
  /** How days and times are said. */
  readonly language: string;
}

/** Why a tool does not do what it was asked to, in words for the model. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** A text among a model's arguments; empty when it is absent. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Digits and a plus alone, so that one number is one text. */
export const phoneOf = (value: unknown): string => textOf(value).replace(/[^+\d]/g, '');
