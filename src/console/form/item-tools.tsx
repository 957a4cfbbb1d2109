import { Button } from '../ui/button.tsx';

interface ItemToolsProps {
  /** Name of the item, for screen readers. */
  readonly name: string;
  readonly first: boolean;
  readonly last: boolean;
  /** Undefined if the order has no meaning. */
  readonly onMove?: (by: -1 | 1) => void;
  /** Undefined if the item cannot be removed. */
  readonly onRemove?: () => void;
}

/** Buttons to move or remove a list item. */
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
