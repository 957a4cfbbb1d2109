import { BusRefusedError } from '../cluster/bus-refused-error.ts';
import { ConfigError } from '../config/config.ts';
import { UnusableDataError } from '../store/embedded/unusable-data-error.ts';
import { QueryFailedError, StoreUnavailableError } from '../store/errors.ts';
import { WrongKeyError } from '../store/seal-secrets.ts';

const SENTENCES = [
  ConfigError,
  BusRefusedError,
  StoreUnavailableError,
  WrongKeyError,
  UnusableDataError,
];

/** By the error codes of the operating system. */
const SYSTEM: Readonly<Record<string, (message: string) => string>> = {
  EADDRINUSE: () => 'The port is taken by another program: set PORT to a free one.',
  EACCES: (message) => `Parley may not do what it needs: ${message}`,
  EPERM: (message) => `Parley may not do what it needs: ${message}`,
  EROFS: (message) =>
    `Parley cannot write where its data is, which is read-only: set DATA_DIR to another folder. ${message}`,
  // Node also reports this code for a folder that cannot be created on a read-only file system.
  ENOENT: (message) => `Parley does not find, or cannot make, what it needs: ${message}`,
  ENOSPC: (message) => `The disk is full: make room, or set another DATA_DIR. ${message}`,
};

/** By the error codes of Postgres. */
const DATABASE: Readonly<Record<string, string>> = {
  '28P01': 'The database refused the password in DATABASE_URL',
  '28000': 'The database refused the user in DATABASE_URL',
  '3D000': 'The database named in DATABASE_URL does not exist',
  '42501': 'The user in DATABASE_URL may not make the tables of the service',
  XX001: 'The database is damaged: restore a backup',
  XX002: 'The database is damaged: restore a backup',
};

/** Explains a failed start: in one sentence if the operator can fix it, else with the stack trace. */
export function explainStart(error: unknown): string {
  if (!(error instanceof Error)) return `Parley could not start: ${error}`;
  if (SENTENCES.some((kind) => error instanceof kind)) return error.message;
  const known = 'code' in error ? SYSTEM[String(error.code)] : undefined;
  if (known) return known(error.message);
  const refusal = error instanceof QueryFailedError && DATABASE[error.sqlState ?? ''];
  if (refusal) return `${refusal}. ${error.message}`;
  return `Parley could not start: ${error.stack}`;
}
