import './workflow.css';
import { useEffect, useState } from 'preact/hooks';
import { focusField } from '../../form/fault-summary.tsx';
import { useFormScope, type WidgetProps } from '../../form/form-scope.ts';
import { GroupField } from '../../form/group-field.tsx';
import { SchemaField } from '../../form/schema-field.tsx';
import { valueAt } from '../../form/value-path.ts';
import { lazyPart } from '../../lazy-page.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { renamedStep } from './changes.ts';
import { FIRST_WORKFLOW, type Workflow } from './first-workflow.ts';

const PATH = 'assistantWorkflow';

// Most assistants have no steps.
const WorkflowPictureView = lazyPart(
  async () => (await import('./workflow-picture.tsx')).WorkflowPictureView,
);

function useWorkflow(): Workflow {
  return (valueAt(useFormScope().value, PATH) as Workflow | undefined) ?? FIRST_WORKFLOW;
}

/** A workflow's steps and transitions, below a picture of both. */
export function WorkflowWidget({ id, value, text, help, error, onChange }: WidgetProps) {
  const workflow = useWorkflow();
  // The initial workflow is shown and would be saved, so store it in the form to make it editable.
  useEffect(() => {
    if (value === undefined) onChange(FIRST_WORKFLOW);
  }, [value]);
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      <WorkflowPictureView
        workflow={workflow}
        onOpen={(index) => focusField(`${PATH}.nodes.${index}.name`)}
      />
      {value !== undefined && (
        <>
          <SchemaField path={`${PATH}.start`} />
          <SchemaField path={`${PATH}.nodes`} />
          <SchemaField path={`${PATH}.edges`} />
        </>
      )}
    </GroupField>
  );
}

/** Selects one of the workflow's steps by name. */
export function StepWidget({ id, text, value, onChange, help, error }: WidgetProps) {
  const { nodes } = useWorkflow();
  const current = typeof value === 'string' ? value : '';
  const known = nodes.some((node) => node.id === current);
  return (
    <Select
      id={id}
      label={text.label}
      help={help}
      error={error}
      value={current}
      onChange={onChange}
      options={[
        ...(known ? [] : [{ value: current, label: current === '' ? 'Choose a step' : current }]),
        ...nodes.map((node) => ({ value: node.id, label: node.name.trim() || node.id })),
      ]}
    />
  );
}

/** The id of a step. When the field loses focus, every reference to the step is renamed too. */
export function StepIdWidget({ id, path, text, value, help, error }: WidgetProps) {
  const { set } = useFormScope();
  const workflow = useWorkflow();
  const [typed, setTyped] = useState<string>();
  const index = Number(path.split('.').at(-2));
  const wanted = (typed ?? String(value ?? '')).trim();
  const taken = workflow.nodes.some((node, at) => at !== index && node.id === wanted);
  return (
    <div
      onFocusOut={() => {
        if (typed !== undefined && !taken) set(PATH, renamedStep(workflow, index, wanted));
        setTyped(undefined);
      }}
    >
      <TextField
        id={id}
        label={text.label}
        help={help}
        error={typed !== undefined && taken ? 'Another step has this id.' : error}
        maxLength={64}
        value={typed ?? String(value ?? '')}
        onChange={setTyped}
      />
    </div>
  );
}
