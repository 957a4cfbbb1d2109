import type { Logger } from 'pino';

/** What the store says goes here. */
export type StoreLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
