import type { SpokenConditionReport } from '../../client/api.generated.ts';

export type LineCondition = SpokenConditionReport['condition'];

/** What is in the way of the caller in each condition. */
export const CONDITION_NAMES: Readonly<Record<LineCondition, string>> = {
  clean: 'A quiet room',
  fast: 'Speaks fast',
  slow: 'Speaks slowly',
  high: 'High voice',
  deep: 'Deep voice',
  noise: 'Noise',
  babble: 'Voices beside',
  television: 'Television',
  echo: 'Echo',
  loss: 'Lost packets',
  telephone: 'Telephone line',
  interruptions: 'Interrupts answers',
  backchannels: 'Says “uh-huh”',
  silence: 'Thinks first',
};

/** Every condition, in the order of reports. */
export const CONDITIONS = Object.keys(CONDITION_NAMES) as readonly LineCondition[];
