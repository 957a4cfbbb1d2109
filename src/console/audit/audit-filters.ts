import type { Operations } from '../../client/api.generated.ts';

type AuditQuery = NonNullable<Operations['listAudit']['query']>;

/** Filters of the audit log; an empty one matches every entry. */
export interface AuditFilters {
  /** Id of a person or API key. */
  readonly who: string;
  /** An action, or the id of what something was done to. */
  readonly what: string;
  readonly outcome: 'done' | 'refused' | '';
  /** Dates in the reader's time zone, such as 2026-03-01. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTERS: Readonly<Record<keyof AuditFilters, undefined>> = {
  who: undefined,
  what: undefined,
  outcome: undefined,
  from: undefined,
  to: undefined,
};

/** Reads the filters from the query of the address; what is mistaken is ignored. */
export function readFilters(address: URLSearchParams): AuditFilters {
  const text = (name: string): string => (address.get(name) ?? '').trim().slice(0, 300);
  const day = (name: string): string => (startOf(text(name)) ? text(name) : '');
  const outcome = text('outcome');
  return {
    who: text('who'),
    what: text('what'),
    outcome: outcome === 'done' || outcome === 'refused' ? outcome : '',
    from: day('from'),
    to: day('to'),
  };
}

/** The filters as the API takes them. */
export function queryOf({ who, what, outcome, from, to }: AuditFilters): AuditQuery {
  const start = startOf(from);
  const end = startOf(to);
  // The day that follows, whatever its length.
  end?.setDate(end.getDate() + 1);
  return {
    ...(who === '' ? {} : { actor: who }),
    ...(what === '' ? {} : { about: actionOf(what) }),
    ...(outcome === '' ? {} : { outcome }),
    ...(start ? { startDate: start.toISOString() } : {}),
    ...(end ? { endDate: new Date(end.getTime() - 1).toISOString() } : {}),
  };
}

/** An action as it is listed, `Delete call`, as the log has it: `deleteCall`. Ids have no blanks. */
function actionOf(what: string): string {
  const [first = '', ...others] = what.split(/\s+/);
  if (others.length === 0) return what;
  const rest = others.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  return first.toLowerCase() + rest.join('');
}

export const isFiltered = (filters: AuditFilters): boolean =>
  Object.values(filters).some((value) => value !== '');

function startOf(day: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const start = new Date(`${day}T00:00:00`);
  return Number.isNaN(start.getTime()) ? undefined : start;
}
