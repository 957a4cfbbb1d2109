import { useEffect } from 'preact/hooks';
import { guardLeaving, type Loss } from './router.ts';

const UNSAVED: Loss = {
  title: 'Leave without saving?',
  text: 'Your changes on this page are not saved and will be lost.',
  action: 'Leave',
};

/** Asks before the page is left while there are unsaved changes. */
export function useUnsavedGuard(dirty: boolean): void {
  useLeavingGuard(dirty ? UNSAVED : undefined);
}

/** Asks before the page is left while there is something to lose. */
export function useLeavingGuard(loss: Loss | undefined): void {
  useEffect(() => (loss ? guardLeaving(loss) : undefined), [loss]);
}
