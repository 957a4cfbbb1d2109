import { Button } from '../ui/button.tsx';

interface ItemToolsProps {
  /** Of the item, for the ear. */
  readonly name: string;
  readonly first: boolean;
  readonly last: boolean;
  /** Absent: the order says nothing. */
  readonly onMove?: (by: -1 | 1) => void;
  /** Absent: it has to stay. */
  readonly onRemove?: () => void;
}

/** Up, down and away, for an item of a list. */
export function ItemTools({ name, first, last, onMove, onRemove }: ItemToolsProps) {
  return (
    <span class="form-item-tools">
      {onMove && (
        <>
          <Button
            kind="quiet"
            small
            icon="up"
            data-move={-1}
            aria-label={`Move ${name} up`}
            disabled={first}
            onClick={() => onMove(-1)}
          />
          <Button
            kind="quiet"
            small
            icon="down"
            data-move={1}
            aria-label={`Move ${name} down`}
            disabled={last}
            onClick={() => onMove(1)}
          />
        </>
      )}
      {onRemove && (
        <Button kind="quiet" small icon="trash" aria-label={`Remove ${name}`} onClick={onRemove} />
      )}
    </span>
  );
}
