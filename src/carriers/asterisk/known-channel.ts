import type { Timer } from '../../ports/clock.ts';

/** What is known of one caller's channel. */
export interface Channel {
  answered: boolean;
  readonly media: Set<string>;
  /** Media channels that came to nothing. */
  failures: number;
  /** Why the far end hangs up, as it said itself. */
  cause: number | undefined;
  leftTimer: Timer | undefined;
}

export function newChannel(): Channel {
  return {
    answered: false,
    media: new Set(),
    failures: 0,
    cause: undefined,
    leftTimer: undefined,
  };
}
