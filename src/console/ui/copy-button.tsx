import { useSignal } from '@preact/signals';
import { Button } from './button.tsx';

/** Copies a text and shows whether that worked: browsers refuse it on insecure pages. */
export function CopyButton({ text }: { readonly text: string }) {
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = 'Copied.';
    } catch {
      // The clipboard needs https and permission; the text can still be selected.
      said.value = 'The browser does not allow copying. Select the text and copy it yourself.';
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
