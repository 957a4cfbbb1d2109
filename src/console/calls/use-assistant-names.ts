import { useMemo } from 'preact/hooks';
import type { Assistant } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { useLoad } from '../use-load.ts';

type NamedAssistant = Pick<Assistant, '_id' | 'name'>;

interface AssistantNames {
  /** Nothing while they are on their way. */
  readonly list: readonly NamedAssistant[] | undefined;
  /** Of one that is gone: nothing. */
  readonly nameOf: (id: string | undefined) => string | undefined;
}

/** Whose calls they are. Where the names cannot be read, calls are shown without them. */
export function useAssistantNames(): AssistantNames {
  const client = useClient();
  const { data } = useLoad((signal) => client.call('listAssistants', { signal }), [client]);
  return useMemo(() => {
    const names = new Map(data?.map(({ _id, name }) => [_id, name]));
    return { list: data, nameOf: (id) => (id === undefined ? undefined : names.get(id)) };
  }, [data]);
}
