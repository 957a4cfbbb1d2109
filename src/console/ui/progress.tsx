import { useId } from 'preact/hooks';

interface ProgressProps {
  readonly label: string;
  /** 0–1; nothing: at work, nobody knows how long. */
  readonly value: number | undefined;
}

/** How far something has come. */
export function Progress({ label, value }: ProgressProps) {
  const id = useId();
  return (
    <div class="progress">
      <label for={id}>
        {label}{' '}
        {value !== undefined && <span class="numeric soft">{Math.round(value * 100)} %</span>}
      </label>
      <progress id={id} max={1} {...(value === undefined ? {} : { value })} />
    </div>
  );
}
