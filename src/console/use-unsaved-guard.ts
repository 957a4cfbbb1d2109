import { useEffect } from 'preact/hooks';
import { guardUnsaved } from './router.ts';

/** While there is something unsaved, whoever leaves the page is asked first. */
export function useUnsavedGuard(dirty: boolean): void {
  useEffect(() => (dirty ? guardUnsaved() : undefined), [dirty]);
}
