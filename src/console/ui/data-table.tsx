import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export interface Column<T> {
  /** Column heading; empty only for a column of actions. */
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Aligns numbers to the right. */
  readonly end?: boolean;
  /** The list can be sorted by this column. */
  readonly sort?: {
    /** Undefined: it is sorted by something else. */
    readonly now: 'ascending' | 'descending' | undefined;
    readonly onSort: () => void;
  };
}

interface DataTableProps<T> {
  /** Label of the table, for screen readers. */
  readonly label: string;
  /** The first column names the row and carries its link. */
  readonly columns: readonly [Column<T>, ...Column<T>[]];
  /** Undefined while loading: placeholders are shown. */
  readonly rows: readonly T[] | undefined;
  readonly rowKey: (row: T) => string;
  /** Link of a row; the whole row can be clicked. */
  readonly rowHref?: (row: T) => string;
  /** Shown instead of the table if there are no rows. */
  readonly empty?: ComponentChildren;
  /** Loads more rows; undefined if there are none. */
  readonly onMore?: (() => void) | undefined;
  readonly loadingMore?: boolean;
  readonly id?: string;
}

const WAITING_ROWS = 5;

/** A table. On a narrow page each row becomes a block of labelled values. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, rowKey, rowHref, empty, onMore, loadingMore, id } = props;
  if (rows?.length === 0 && empty) return <>{empty}</>;
  return (
    <div>
      <table id={id} class="table" aria-label={label} aria-busy={rows === undefined || undefined}>
        <thead>
          <tr>
            {columns.map(({ title, end, sort }) => (
              <th key={title} scope="col" class={end ? 'end' : undefined} aria-sort={sort?.now}>
                {sort ? (
                  <button type="button" class="table-sort" onClick={sort.onSort}>
                    {title}
                    {sort.now && <Icon name={sort.now === 'ascending' ? 'up' : 'down'} />}
                  </button>
                ) : (
                  title || <span class="visually-hidden">Actions</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => (
                <Row key={rowKey(row)} row={row} columns={columns} href={rowHref?.(row)} />
              ))
            : Array.from({ length: WAITING_ROWS }, (_, index) => (
                <WaitingRow key={index} columns={columns.length} />
              ))}
        </tbody>
      </table>
      {onMore && (
        <div class="table-more">
          <Button onClick={onMore} busy={loadingMore ?? false}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

interface RowProps<T> {
  readonly row: T;
  readonly columns: readonly [Column<T>, ...Column<T>[]];
  readonly href: string | undefined;
}

function Row<T>({ row, columns: [first, ...others], href }: RowProps<T>) {
  return (
    <tr data-linked={href !== undefined || undefined}>
      <th scope="row" class={first.end ? 'end' : undefined}>
        {href === undefined ? (
          first.cell(row)
        ) : (
          <Link class="row-link" href={href}>
            {first.cell(row)}
          </Link>
        )}
      </th>
      {others.map((column) => (
        <td
          key={column.title}
          class={column.end ? 'end numeric' : undefined}
          data-label={column.title || undefined}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function WaitingRow({ columns }: { readonly columns: number }) {
  return (
    <tr>
      {Array.from({ length: columns }, (_, index) => (
        <td key={index}>
          <span class="skeleton w-70" />
        </td>
      ))}
    </tr>
  );
}
