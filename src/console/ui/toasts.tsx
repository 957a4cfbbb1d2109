import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePath } from '../router.ts';
import { Button } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
  /** What it is about: a newer message about the same replaces it. */
  readonly about: string | undefined;
  readonly shownAt: number;
}

/** Long enough to read a message twice; errors stay until they are closed or their page is left. */
const SHOWN_MS = 5000;
/** An error that leads to another page is read there. */
const LEADS_ON_MS = 2000;
const MOST = 4;
const toasts = signal<readonly Toast[]>([]);
let made = 0;

/** Shows a short message of success or failure over any page. */
export function showToast(text: string, tone: Toast['tone'] = 'good', about?: string): void {
  const toast = { id: ++made, text, tone, about, shownAt: performance.now() };
  toasts.value = [...toasts.value, toast].slice(-MOST);
}

/** Takes away what was said of this: it holds no more, or is said anew. */
export function clearToasts(about: string): void {
  toasts.value = toasts.value.filter((toast) => toast.about !== about);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Container of all toasts; rendered once, in the shell. */
export function Toasts() {
  const [page] = usePath();
  useEffect(() => {
    const since = performance.now() - LEADS_ON_MS;
    toasts.value = toasts.value.filter(({ tone, shownAt }) => tone === 'good' || shownAt > since);
  }, [page]);
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
