import { createContext } from 'preact';
import type { KnownVariable } from './built-in-variables.ts';

/** Variables known to the form; a variable with any other name gets its value from the request that starts the call. */
export const KnownVariables = createContext<readonly KnownVariable[]>([]);
