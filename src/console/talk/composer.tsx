import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { Button } from '../ui/button.tsx';

interface ComposerProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly onSend: (text: string) => void;
}

/** Limit of the media socket. */
const MOST_CHARS = 2000;

/** Input for typing into the conversation. */
export function Composer({ label, disabled, onSend }: ComposerProps) {
  const text = useSignal('');
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const said = text.value.trim();
    if (said === '' || disabled) return;
    onSend(said);
    text.value = '';
  };
  return (
    <form class="composer" onSubmit={submit}>
      <input
        id="composer"
        class="input"
        aria-label={label}
        placeholder={label}
        value={text.value}
        maxLength={MOST_CHARS}
        disabled={disabled}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <Button type="submit" disabled={disabled}>
        Send
      </Button>
    </form>
  );
}
