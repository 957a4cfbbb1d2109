import { useEffect } from 'preact/hooks';
import { guardLeaving, type Loss } from './router.ts';

const UNSAVED: Loss = {
  title: 'Leave without saving?',
  text: 'What you changed on this page is not saved, and would be lost.',
  action: 'Leave',
};

/** While there is something unsaved, whoever leaves the page is asked first. */
export function useUnsavedGuard(dirty: boolean): void {
  useLeavingGuard(dirty ? UNSAVED : undefined);
}

/** While there is something to lose, whoever leaves the page is asked first. */
export function useLeavingGuard(loss: Loss | undefined): void {
  useEffect(() => (loss ? guardLeaving(loss) : undefined), [loss]);
}
