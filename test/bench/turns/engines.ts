import type { EngineKind } from './engine.ts';
import { parley, parleyByWords } from './engines/parley.ts';

/** What is measured, ours first. */
export const ENGINES: readonly EngineKind[] = [parley, parleyByWords];
