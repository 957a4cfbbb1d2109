import type { EngineKind } from './engine.ts';
import { OtherEngine } from './engines/other.ts';
import { POLICIES } from './engines/other-policy.ts';
import { parley, parleyByWords } from './engines/parley.ts';

/** The others stand for their turn-taking only: what is no speech is not asked of them. */
export const OURS: readonly string[] = [parley.name, parleyByWords.name];

/** What is measured, ours first. */
export const ENGINES: readonly EngineKind[] = [
  parley,
  parleyByWords,
  ...Object.entries(POLICIES).map(([name, policy]) => ({
    name,
    create: (settings: Parameters<EngineKind['create']>[0]) => new OtherEngine(policy, settings),
  })),
];
