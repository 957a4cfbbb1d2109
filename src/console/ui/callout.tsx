import type { ComponentChildren } from 'preact';

interface CalloutProps {
  /** @defaultValue info */
  readonly tone?: 'info' | 'good' | 'warn' | 'bad';
  readonly children: ComponentChildren;
}

/** A note that the user should read before going on. */
export function Callout({ tone = 'info', children }: CalloutProps) {
  return (
    <div class="callout" data-tone={tone}>
      {children}
    </div>
  );
}
