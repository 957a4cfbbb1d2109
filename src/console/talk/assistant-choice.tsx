import { Link } from 'wouter-preact';
import type { AssistantWith } from '../all-pages.ts';
import { faultText } from '../ui/fault-text.ts';
import type { Loaded } from '../use-load.ts';

interface AssistantChoiceProps {
  readonly assistants: Loaded<readonly AssistantWith<'name' | 'dtmfInputEnabled'>[]>;
  readonly value: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (assistantId: string) => void;
}

/** Choice of the assistant to talk to. */
export function AssistantChoice({ assistants, value, disabled, onChange }: AssistantChoiceProps) {
  const { data, error } = assistants;
  if (error !== undefined) return <p class="choose fault">{faultText(error)}</p>;
  if (data?.length === 0) {
    return (
      <p class="choose">
        <Link href="/assistants/new">Create an assistant</Link> to talk to.
      </p>
    );
  }
  return (
    <div class="choose">
      <label for="assistant">Assistant</label>
      <select
        id="assistant"
        class="input"
        disabled={disabled || !data}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {data?.map(({ _id, name }) => (
          <option key={_id} value={_id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
