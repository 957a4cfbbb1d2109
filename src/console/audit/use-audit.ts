import type { AuditEntry } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { usePages } from '../use-pages.ts';
import { type AuditFilters, queryOf } from './audit-filters.ts';

/** Entries of the audit log that match, newest first, and those before them when they are asked for. */
export function useAudit(filters: AuditFilters) {
  const client = useClient();
  return usePages<AuditEntry>(
    (page, signal) =>
      client.open('listAudit', {
        query: { ...queryOf(filters), ...page },
        ...(signal ? { signal } : {}),
      }),
    [filters],
  );
}
