interface SkeletonProps {
  /** Number of lines. @defaultValue 1 */
  readonly lines?: number;
}

const WIDTHS = ['w-60', 'w-80', 'w-45', 'w-70'] as const;

/** Placeholder for text that is loading. */
export function Skeleton({ lines = 1 }: SkeletonProps) {
  return (
    <div class="stack" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class={`skeleton ${WIDTHS[line % WIDTHS.length]}`} />
      ))}
    </div>
  );
}
