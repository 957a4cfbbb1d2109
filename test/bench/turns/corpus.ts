import { control } from './generate/control.ts';
import { numbers } from './generate/numbers.ts';
import { backchannels, bargeIns, echo, noises, sideTalk } from './generate/overlaps.ts';
import { recogniser } from './generate/recogniser.ts';
import { slowVoices, stalledVoices, television, welcomeRaces } from './generate/rooms.ts';
import { type Stage, stageOf } from './generate/stage.ts';
import { clean, pauses } from './generate/turns.ts';
import type { Script, ScriptClass } from './script.ts';

/** How many of each class a corpus holds, and what makes one. */
export const GENERATED = {
  clean: { count: 200, make: clean },
  pauses: { count: 240, make: pauses },
  numbers: { count: 120, make: numbers },
  'barge-ins': { count: 160, make: bargeIns },
  backchannels: { count: 160, make: backchannels },
  noises: { count: 100, make: noises },
  'side-talk': { count: 100, make: sideTalk },
  echo: { count: 100, make: echo },
  television: { count: 100, make: television },
  'slow-voices': { count: 80, make: slowVoices },
  'stalled-voices': { count: 40, make: stalledVoices },
  'welcome-races': { count: 80, make: welcomeRaces },
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
