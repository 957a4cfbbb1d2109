import { Button } from './button.tsx';

interface PagerProps {
  /** Label of the list, for screen readers. */
  readonly label: string;
  /** Starts at 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly onChange: (page: number) => void;
}

/** Position in a long list with links to other pages; renders nothing if there is only one page. */
export function Pager({ label, page, size, total, onChange }: PagerProps) {
  const pages = Math.ceil(total / size);
  if (pages <= 1 && page === 1) return null;
  const first = (page - 1) * size + 1;
  return (
    <nav class="pager" aria-label={label}>
      <Button small disabled={page <= 1} onClick={() => onChange(page - 1)}>
        Previous
      </Button>
      <span class="soft numeric" aria-live="polite">
        {first > total ? 'No entries' : `${first}–${Math.min(total, page * size)}`} of {total}
      </span>
      <Button small disabled={page >= pages} onClick={() => onChange(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
