import { useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { useLoad } from '../use-load.ts';
import { filterSearch, listQueryOf, readFilters } from './call-filters.ts';

/** Links to the calls before and after this one, in the list that it was opened from. */
export function NeighbourLinks({ id }: { readonly id: string }) {
  const client = useClient();
  const [address] = useQuery();
  const search = filterSearch(address);
  const { data } = useLoad(
    (signal) => {
      const query = listQueryOf(readFilters(address), Date.now());
      return client.call('getCallNeighbours', { path: { id }, query, signal });
    },
    [client, id, search],
  );
  if (!data?.previous && !data?.next) return null;
  return (
    <nav class="call-neighbours" aria-label="Neighbouring calls">
      {data.previous !== undefined && (
        <LinkButton href={`/calls/${data.previous}${search}`}>← Previous call</LinkButton>
      )}
      {data.next !== undefined && (
        <LinkButton href={`/calls/${data.next}${search}`}>Next call →</LinkButton>
      )}
    </nav>
  );
}
