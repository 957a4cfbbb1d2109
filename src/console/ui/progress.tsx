import { useId } from 'preact/hooks';

interface ProgressProps {
  readonly label: string;
  /** 0 to 1; undefined if the progress is not known. */
  readonly value: number | undefined;
}

/** A progress bar. */
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
