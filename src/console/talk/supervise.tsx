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

export type SuperviseAction = 'say' | 'add-message' | 'forward';

const WORDS = {
  say: {
    title: 'Say to the caller',
    label: 'Message',
    help: 'Spoken word for word in the assistant’s voice, at the next pause.',
    action: 'Say',
    done: 'Queued: spoken at the next pause.',
  },
  'add-message': {
    title: 'Whisper to assistant',
    label: 'Message',
    help: 'Only the assistant gets it; the caller does not hear it.',
    action: 'Whisper',
    done: 'The assistant received the message.',
  },
  forward: {
    title: 'Transfer the call',
    label: 'Number',
    help: 'Such as +14155550123. Leave empty for the assistant’s own transfer number.',
    action: 'Transfer',
    done: 'The call is being transferred.',
  },
} as const;

interface SuperviseDialogProps {
  readonly type: SuperviseAction;
  readonly onControl: (type: SuperviseAction, message: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Operator actions on a live call: words to say, a note for the model, a transfer. */
export function SuperviseDialog({ type, onControl, onClose }: SuperviseDialogProps) {
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
