import { createContext } from 'preact';
import type { KnownVariable } from './built-in-variables.ts';

/** What the texts of a form may hold; any other name is filled by what a call brings along. */
export const KnownVariables = createContext<readonly KnownVariable[]>([]);
