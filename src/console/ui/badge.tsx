import type { ComponentChildren } from 'preact';
import type { Tone } from './tone.ts';

interface BadgeProps {
  /** Colour; the text must carry the meaning too. @defaultValue neutral */
  readonly tone?: Tone;
  /** Shows that something is in progress. */
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
