import './sign-in.css';
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { signIn, signInFault } from '../session.ts';
import { explainError } from '../talk/explain.ts';
import { Button } from '../ui/button.tsx';
import { useTitle } from '../use-title.ts';
import { DoorScore } from './door-score.tsx';

function faultOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 401)
    return 'This key is invalid. The service printed it when it first started.';
  const { title, text } = explainError(error);
  return `${title}. ${text}`;
}

/** Asks for an API key until the service accepts one. */
export function SignIn() {
  useTitle('Sign in');
  const field = useRef<HTMLInputElement>(null);
  const busy = useSignal(false);
  const fault = useSignal(signInFault.value ? faultOf(signInFault.value) : '');
  useEffect(() => field.current?.focus(), []);

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    if (key === '') {
      fault.value = 'Enter the key.';
      return;
    }
    busy.value = true;
    try {
      await signIn(key);
    } catch (error) {
      fault.value = faultOf(error);
      field.current?.select();
    } finally {
      busy.value = false;
    }
  };

  return (
    <main class="door">
      <DoorScore />
      <p class="wordmark">Parley</p>
      <form id="sign-in" class="sign-in" noValidate onSubmit={submit}>
        <h1>Talk to your assistants</h1>
        <label for="key">API key</label>
        <input
          ref={field}
          id="key"
          class="input"
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="key-help key-fault"
          aria-invalid={fault.value !== '' ? 'true' : undefined}
          onInput={() => {
            fault.value = '';
          }}
        />
        <p id="key-fault" class="fault" role="alert">
          {fault}
        </p>
        <Button type="submit" id="sign-in-button" kind="primary" busy={busy.value}>
          Sign in
        </Button>
        <p id="key-help" class="help">
          The service printed it when it first started. It stays in this browser until you sign out.
        </p>
      </form>
    </main>
  );
}
