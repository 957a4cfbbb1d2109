import { useState } from 'preact/hooks';
import type { Retention } from '../../client/api.generated.ts';
import { fieldFaults } from '../field-faults.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { useAction } from '../use-action.ts';

interface RetentionFormProps {
  readonly retention: Retention;
  readonly onSaved: (retention: Retention) => void;
}

const MOST_DAYS = 36_500;

/** The team's own rule. */
export function RetentionForm({ retention: { own, most }, onSaved }: RetentionFormProps) {
  const client = useClient();
  const [days, setDays] = useState(own);
  const save = useAction(
    async () => {
      const { sound, text } = days;
      const body = {
        ...(sound === undefined ? {} : { sound }),
        ...(text === undefined ? {} : { text }),
      };
      onSaved(await client.call('setRetention', { body }));
    },
    { done: 'Saved. Calls that are older are deleted within the hour.' },
  );
  const faults = save.error === undefined ? {} : fieldFaults(save.error);
  const field = (kind: 'sound' | 'text', label: string, empty: string) => (
    <NumberField
      id={`retention-${kind}`}
      label={label}
      help={helpFor(most[kind], empty)}
      error={faults[kind]}
      unit="days"
      min={1}
      max={MOST_DAYS}
      step={1}
      value={days[kind]}
      onChange={(value) => setDays({ ...days, [kind]: value })}
    />
  );
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      {field('sound', 'Delete recordings after', 'Empty: with the call.')}
      {field('text', 'Delete calls after', 'Empty: calls are kept until they are deleted.')}
      <div class="row">
        <Button type="submit" id="save-retention" kind="primary" busy={save.busy}>
          Save
        </Button>
      </div>
    </form>
  );
}

function helpFor(most: number | undefined, empty: string): string {
  return most === undefined ? empty : `At most ${most} days, set by the operator.`;
}
