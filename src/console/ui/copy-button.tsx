import { useSignal } from '@preact/signals';
import { Button } from './button.tsx';

/** Copies a text, and says whether it did: browsers refuse it on pages that are not secure. */
export function CopyButton({ text }: { readonly text: string }) {
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = 'Copied.';
    } catch {
      // No clipboard on plain http, or not allowed: the text can still be selected.
      said.value = 'The browser does not allow it: select the text and copy it.';
    }
  };
  return (
    <span class="copy">
      <Button small icon="copy" onClick={copy}>
        Copy
      </Button>
      <span role="status">{said}</span>
    </span>
  );
}
