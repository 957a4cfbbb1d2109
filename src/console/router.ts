import { computed, signal } from '@preact/signals';
import { useCallback } from 'preact/hooks';

/** What stands behind the address's #: a path, and a query of the page's own. */
const hash = signal(readHash());
const path = computed(() => hash.value.split('?', 1)[0] ?? '/');
const query = computed(() => new URLSearchParams(hash.value.split('?')[1] ?? ''));

/** Where someone wanted to go while something was unsaved; the shell asks. */
export const heldBack = signal<string>();
const unsaved = new Set<symbol>();

interface NavigateOptions {
  /** The place that is left is not come back to. */
  readonly replace?: boolean;
}

/** Goes to a page, as `/calls?status=ongoing`; asks first where something is unsaved. */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  if (isLeaving(to)) {
    heldBack.value = to;
    return;
  }
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`);
  hash.value = readHash();
}

/** Goes where it was held back from. */
export function leaveAnyway(): void {
  const to = heldBack.value;
  heldBack.value = undefined;
  unsaved.clear();
  if (to !== undefined) navigate(to);
}

/** Holds back whoever leaves, until the returned function is called. */
export function guardUnsaved(): () => void {
  const guard = Symbol('unsaved');
  unsaved.add(guard);
  return () => unsaved.delete(guard);
}

/** For the router: the path, and how to leave it. */
export function usePath(): [string, typeof navigate] {
  return [path.value, navigate];
}
usePath.hrefs = (href: string): string => `#${href}`;

/** The page's own part of the address, and how to change it without leaving: filters, tabs. */
export function useQuery(): [
  URLSearchParams,
  (change: Readonly<Record<string, string | undefined>>) => void,
] {
  const change = useCallback((changes: Readonly<Record<string, string | undefined>>): void => {
    const next = new URLSearchParams(query.value);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    const search = next.toString();
    navigate(search === '' ? path.value : `${path.value}?${search}`, { replace: true });
  }, []);
  return [query.value, change];
}

function readHash(): string {
  return `/${location.hash.replace(/^#?\/?/, '')}`;
}

function isLeaving(to: string): boolean {
  return unsaved.size > 0 && to.split('?', 1)[0] !== path.value;
}

addEventListener('hashchange', () => {
  const to = readHash();
  if (isLeaving(to)) {
    // Back, or a link from elsewhere: the address has changed already, and is put right until it is decided.
    history.pushState(null, '', `#${hash.value}`);
    heldBack.value = to;
    return;
  }
  hash.value = to;
});
addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault();
});
