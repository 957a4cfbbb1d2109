import { actions } from './actions.ts';
import type { ChartEvent } from './chart-events.ts';
import type { Chart } from './effects.ts';
import { type Given, guards } from './guards.ts';
import { assistant } from './regions/assistant.ts';
import { floor } from './regions/floor.ts';
import { keypad } from './regions/keypad.ts';
import { lifecycle } from './regions/lifecycle.ts';
import { media } from './regions/media.ts';
import { output } from './regions/output.ts';
import { screening } from './regions/screening.ts';
import { transfer } from './regions/transfer.ts';
import { user } from './regions/user.ts';
import { welcome } from './regions/welcome.ts';
import type { ArmParams, DisarmParams } from './state-timers.ts';
import { type Region, Statechart } from './statechart.ts';

type Action =
  | Exclude<keyof typeof actions, 'arm' | 'disarm'>
  | { readonly type: 'arm'; readonly params: ArmParams }
  | { readonly type: 'disarm'; readonly params: DisarmParams };

/** Regions act in this order, which decides which of two timers of the same instant fires first. */
export const REGIONS = {
  lifecycle,
  screening,
  welcome,
  user,
  keypad,
  assistant,
  floor,
  transfer,
  media,
  output,
} satisfies {
  readonly [Name in keyof Chart]: Region<
    Chart[Name],
    ChartEvent['type'],
    keyof typeof guards,
    Action
  >;
};

/** The statechart of a call. It says what may happen when; the rules, in files of their own, say what is done. */
export const callMachine = new Statechart<Chart, Given>(REGIONS, { guards, actions });
