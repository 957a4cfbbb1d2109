import { useMemo } from 'preact/hooks';
import type { Assistant } from '../../client/api.generated.ts';
import { loadAssistants } from '../all-pages.ts';
import { useClient } from '../session.ts';
import { useLoad } from '../use-load.ts';

type NamedAssistant = Pick<Assistant, '_id' | 'name'>;

interface AssistantNames {
  /** Undefined while loading. */
  readonly list: readonly NamedAssistant[] | undefined;
  /** Undefined if the assistant no longer exists. */
  readonly nameOf: (id: string | undefined) => string | undefined;
}

/** Names of the assistants that calls refer to. If they cannot be loaded, calls are shown without them. */
export function useAssistantNames(): AssistantNames {
  const client = useClient();
  const { data } = useLoad((signal) => loadAssistants(client, ['name'], signal), [client]);
  return useMemo(() => {
    const names = new Map(data?.map(({ _id, name }) => [_id, name]));
    return { list: data, nameOf: (id) => (id === undefined ? undefined : names.get(id)) };
  }, [data]);
}
