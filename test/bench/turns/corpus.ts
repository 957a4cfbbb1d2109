import { control } from './generate/control.ts';
import { numbers } from './generate/numbers.ts';
import { bargeIns, nonInterruptions } from './generate/overlaps.ts';
import { recogniser } from './generate/recogniser.ts';
import { type Stage, stageOf } from './generate/stage.ts';
import { clean, pauses } from './generate/turns.ts';
import type { Script, ScriptClass } from './script.ts';

/** How many of each class a corpus holds, and what makes one. */
export const GENERATED = {
  clean: { count: 200, make: clean },
  pauses: { count: 200, make: pauses },
  numbers: { count: 120, make: numbers },
  'barge-ins': { count: 160, make: bargeIns },
  'non-interruptions': { count: 200, make: nonInterruptions },
  recogniser: { count: 160, make: recogniser },
  control: { count: 160, make: control },
} as const satisfies Partial<
  Record<
    ScriptClass,
    { readonly count: number; readonly make: (stage: Stage, n: number) => Script }
  >
>;

export type GeneratedClass = keyof typeof GENERATED;

/** All scripts of a class that a seed gives. */
export function generate(seed: number, name: GeneratedClass, scale = 1): Script[] {
  const { count, make } = GENERATED[name];
  const scaled = Math.max(1, Math.round(count * scale));
  return Array.from({ length: scaled }, (_, n) => make(stageOf(seed, name, n)));
}
