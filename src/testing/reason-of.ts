import { Problem } from '../contract/errors.ts';

/** Why a run was refused, with what is wrong in each field. */
export const reasonOf = (error: Error): string =>
  error instanceof Problem
    ? [error.message, ...error.faults.map(({ message }) => message)].join(' ')
    : error.message;
