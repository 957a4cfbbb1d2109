import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

/** Long enough to read a message twice; errors stay until they are closed. */
const SHOWN_MS = 5000;
const MOST = 4;
const toasts = signal<readonly Toast[]>([]);
let made = 0;

/** Shows a short message of success or failure over any page. */
export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  toasts.value = [...toasts.value, { id: ++made, text, tone }].slice(-MOST);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Container of all toasts; rendered once, in the shell. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <ShownToast key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ShownToast({ toast: { id, text, tone } }: { readonly toast: Toast }) {
  useEffect(() => {
    if (tone === 'bad') return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, tone]);
  return (
    <div class="toast" data-tone={tone}>
      <span>{text}</span>
      <Button kind="quiet" small icon="close" aria-label="Close" onClick={() => dismiss(id)} />
    </div>
  );
}
