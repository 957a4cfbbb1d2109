import type { TestSuite } from '../../client/api.generated.ts';
import { AssistantField } from '../assistants/assistant-field.tsx';
import type { FieldFaults } from '../field-faults.ts';
import { may } from '../session.ts';
import { faultText } from '../ui/fault-text.ts';
import { TextField } from '../ui/text-field.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { SourceEditor } from './source-editor.tsx';
import { type Spoken, SpokenChoice } from './spoken-choice.tsx';
import { useCheck } from './use-check.ts';

/** What a suite can be changed in. */
export interface SuiteDraft extends Pick<TestSuite, 'title' | 'source' | 'nightly'> {
  /** How its nightly runs are spoken; undefined: they have no sound. */
  readonly spoken: Spoken;
  /** Empty: none. */
  readonly assistantId: string;
}

export function draftOf({
  title,
  source,
  nightly,
  spoken,
  assistantId = '',
}: TestSuite): SuiteDraft {
  return { title, source, nightly, spoken, assistantId };
}

interface SuiteFormProps {
  readonly draft: SuiteDraft;
  readonly onChange: (draft: SuiteDraft) => void;
  /** What the service has refused. */
  readonly faults: FieldFaults;
}

/** The fields of a suite. */
export function SuiteForm({ draft, onChange, faults }: SuiteFormProps) {
  const found = useCheck(draft.source);
  const isFixed = !may('builder');
  return (
    <div class="stack">
      <div class="field-columns">
        <TextField
          id="tests-title"
          label="Name"
          value={draft.title}
          onChange={(title) => onChange({ ...draft, title })}
          error={faults.title}
          maxLength={200}
          disabled={isFixed}
        />
        <AssistantField
          id="tests-assistant"
          label="Assistant"
          value={draft.assistantId}
          onChange={(assistantId) => onChange({ ...draft, assistantId })}
          error={faults.assistantId}
          disabled={isFixed}
          none="None"
        />
      </div>
      <SourceEditor
        value={draft.source}
        onChange={(source) => onChange({ ...draft, source })}
        faults={found}
        disabled={isFixed}
      />
      {faults.source !== undefined && found.length === 0 && (
        <p class="field-fault" role="alert">
          {faults.source}
        </p>
      )}
      <Checkbox
        id="tests-nightly"
        label="Run every night"
        help="At 02:00 UTC, with at most 500,000 tokens from vendors’ models."
        checked={draft.nightly}
        onChange={(nightly) => onChange({ ...draft, nightly })}
        disabled={isFixed}
      />
      {draft.nightly && (
        <SpokenChoice
          id="tests-spoken"
          label="Speak the nightly runs"
          help="The caller is heard and recognised instead of read. Needs scripted models."
          value={draft.spoken}
          onChange={(spoken) => onChange({ ...draft, spoken })}
          error={faults.spoken}
          disabled={isFixed}
        />
      )}
    </div>
  );
}

interface RefusalProps {
  readonly error: unknown;
  /** Fields beside which the error stands already. */
  readonly shown: readonly string[];
}

/** An error that belongs to no field of the form. */
export function Refusal({ error, shown }: RefusalProps) {
  const elsewhere = shown.some((field) =>
    ['title', 'assistantId', 'source', 'spoken'].includes(field),
  );
  return (
    <p class="field-fault" role="alert">
      {error !== undefined && !elsewhere ? faultText(error) : ''}
    </p>
  );
}
