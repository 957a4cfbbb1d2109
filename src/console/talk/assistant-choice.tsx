import { Link } from 'wouter-preact';
import { AssistantField } from '../assistants/assistant-field.tsx';
import type { AssistantWith } from '../named.ts';
import { useClient } from '../session.ts';
import { faultText } from '../ui/fault-text.ts';
import { type Loaded, useLoad } from '../use-load.ts';

export type TalkAssistant = AssistantWith<'name' | 'dtmfInputEnabled'>;

/** The assistant to talk to: the chosen one, or else the newest; null if there is none. */
export function useTalkAssistant(chosen: string | undefined): Loaded<TalkAssistant | null> {
  const client = useClient();
  return useLoad(
    async (signal) => {
      const first = async (query: { readonly ids: string } | { readonly limit: number }) => {
        const found = await client.call('listAssistants', {
          query: { ...query, fields: 'name,dtmfInputEnabled' },
          signal,
        });
        // The service answers with what was asked for.
        return found[0] as TalkAssistant | undefined;
      };
      const named = chosen === undefined ? undefined : await first({ ids: chosen });
      return named ?? (await first({ limit: 1 })) ?? null;
    },
    [client, chosen],
  );
}

interface AssistantChoiceProps {
  readonly assistant: Loaded<TalkAssistant | null>;
  readonly disabled: boolean;
  readonly onChange: (assistantId: string) => void;
}

/** Choice of the assistant to talk to. */
export function AssistantChoice({ assistant, disabled, onChange }: AssistantChoiceProps) {
  const { data, error } = assistant;
  if (error !== undefined) return <p class="choose fault">{faultText(error)}</p>;
  if (data === null) {
    return (
      <p class="choose">
        <Link href="/assistants/new">Create an assistant</Link> to talk to.
      </p>
    );
  }
  return (
    <div class="choose">
      <AssistantField
        id="assistant"
        label="Assistant"
        disabled={disabled || !data}
        value={data?._id ?? ''}
        onChange={(id) => id !== '' && onChange(id)}
      />
    </div>
  );
}
