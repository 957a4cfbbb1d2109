import type { EngineKind } from './engine.ts';
import { OtherEngine } from './engines/other.ts';
import { policiesOf } from './engines/other-policy.ts';
import {
  parley,
  parleyByWords,
  parleyByWordsStretched,
  parleyStretched,
} from './engines/parley.ts';

/** The others stand for their turn-taking only: what is no speech is not asked of them. */
export const OURS: readonly string[] = [parley.name, parleyByWords.name];

/** What is measured, ours first; each waits as it says of itself, stretched by a factor. */
export const enginesOf = (stretch: number): readonly EngineKind[] => [
  parleyStretched(stretch),
  parleyByWordsStretched(stretch),
  ...Object.entries(policiesOf(stretch)).map(([name, policy]) => ({
    name,
    create: (settings: Parameters<EngineKind['create']>[0]) => new OtherEngine(policy, settings),
  })),
];

/** Each as it is. */
export const ENGINES = enginesOf(1);
