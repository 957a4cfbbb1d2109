import { computed, effect, signal } from '@preact/signals';
import { useCallback } from 'preact/hooks';

/** What stands behind the address's #: a path, and a query of the page's own. */
const hash = signal(readHash());
const path = computed(() => hash.value.split('?', 1)[0] ?? '/');
const query = computed(() => new URLSearchParams(hash.value.split('?')[1] ?? ''));

/** What leaving a page would cost, as its question to whoever leaves. */
export interface Loss {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/** Where someone wanted to go while the page had something to lose, and what; the shell asks. */
export const heldBack = signal<{ readonly to: string; readonly loss: Loss }>();
const losses = new Set<Loss>();
/** The latest address of each page, with its query. */
const addresses = new Map<string, string>();
effect(() => {
  addresses.set(path.value, hash.value);
});

interface NavigateOptions {
  /** The place that is left is not come back to. */
  readonly replace?: boolean;
}

/** Goes to a page, as `/calls?status=ongoing`; asks first where something is unsaved. */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  if (holdsBack(to)) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`);
  hash.value = readHash();
}

/** Goes where it was held back from. */
export function leaveAnyway(): void {
  const held = heldBack.value;
  heldBack.value = undefined;
  losses.clear();
  if (held) navigate(held.to);
}

/** Holds back whoever leaves, until the returned function is called. */
export function guardLeaving(loss: Loss): () => void {
  const guard = { ...loss };
  losses.add(guard);
  return () => losses.delete(guard);
}

/** A page as it was left, filters and all. */
export function lastAddress(of: string): string {
  return addresses.get(of) ?? of;
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

/** Whether leaving for this address has to be confirmed first. */
function holdsBack(to: string): boolean {
  const [loss] = losses;
  if (!loss || to.split('?', 1)[0] === path.value) return false;
  heldBack.value = { to, loss };
  return true;
}

addEventListener('hashchange', () => {
  const to = readHash();
  if (holdsBack(to)) {
    // Back, or a link from elsewhere: the address has changed already, and is put right until it is decided.
    history.pushState(null, '', `#${hash.value}`);
    return;
  }
  hash.value = to;
});
addEventListener('beforeunload', (event) => {
  if (losses.size > 0) event.preventDefault();
});
