import type { ComponentChildren } from 'preact';
import type { Tone } from './tone.ts';

interface BadgeProps {
  /** @defaultValue neutral; the words must say it too */
  readonly tone?: Tone;
  /** Something is going on right now. */
  readonly live?: boolean;
  readonly children: ComponentChildren;
}

/** A state, in a word or two. */
export function Badge({ tone = 'neutral', live, children }: BadgeProps) {
  return (
    <span class="badge" data-tone={tone} data-live={live || undefined}>
      {children}
    </span>
  );
}
