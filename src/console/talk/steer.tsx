import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useId } from 'preact/hooks';
import { fieldFaults } from '../field-faults.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { faultText } from '../ui/fault-text.ts';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';

export type Steering = 'say' | 'add-message' | 'forward';

const WORDS = {
  say: {
    title: 'Let the assistant say',
    label: 'Words',
    help: 'Spoken as they stand, in the assistant’s voice, as soon as it has the floor.',
    action: 'Say it',
    done: 'The assistant will say it.',
  },
  'add-message': {
    title: 'Tell the assistant, unheard',
    label: 'Note',
    help: 'The caller does not hear it; the assistant knows it from now on.',
    action: 'Tell it',
    done: 'The assistant knows.',
  },
  forward: {
    title: 'Transfer the call',
    label: 'Number',
    help: 'Such as +14155550123. Left empty, to where the assistant is set to transfer.',
    action: 'Transfer',
    done: 'The call is being transferred.',
  },
} as const;

interface SteerDialogProps {
  readonly type: Steering;
  readonly onControl: (type: Steering, message: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Operator actions on a live call: words to say, a note for the model, a transfer. */
export function SteerDialog({ type, onControl, onClose }: SteerDialogProps) {
  const words = WORDS[type];
  const text = useSignal('');
  const form = useId();
  const control = useAction((message: string) => onControl(type, message), { done: words.done });
  const fault =
    control.error === undefined
      ? undefined
      : (fieldFaults(control.error).message ?? faultText(control.error));
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (await control.run(text.value.trim())) onClose();
  };
  const field = {
    label: words.label,
    help: words.help,
    error: fault,
    value: text.value,
    onChange: (value: string) => {
      text.value = value;
    },
  };
  return (
    <Dialog
      title={words.title}
      shape="narrow"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" form={form} busy={control.busy}>
            {words.action}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        {type === 'forward' ? (
          <TextField {...field} type="tel" autoFocus />
        ) : (
          <TextArea {...field} maxLength={5000} />
        )}
      </form>
    </Dialog>
  );
}
