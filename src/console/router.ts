import { computed, effect, signal } from '@preact/signals';
import { useCallback } from 'preact/hooks';

/** The address after `#`: a path, and a query for the page. */
const hash = signal(readHash());
const path = computed(() => hash.value.split('?', 1)[0] ?? '/');
const query = computed(() => new URLSearchParams(hash.value.split('?')[1] ?? ''));

/** Text of the confirmation for leaving a page with something to lose. */
export interface Loss {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/** A navigation that waits for confirmation; the shell asks for it. */
export const pendingNavigation = signal<{ readonly to: string; readonly loss: Loss }>();
const losses = new Set<Loss>();
/** Latest address of each page, with its query. */
const addresses = new Map<string, string>();
effect(() => {
  addresses.set(path.value, hash.value);
});

interface NavigateOptions {
  /** Replaces the current entry in the browser's history. */
  readonly replace?: boolean;
}

/** Opens a page, such as `/calls?status=ongoing`; asks first if there are unsaved changes. */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  if (mustConfirm(to)) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`);
  hash.value = readHash();
}

/** Continues the navigation that was waiting. */
export function continueNavigation(): void {
  const held = pendingNavigation.value;
  pendingNavigation.value = undefined;
  losses.clear();
  if (held) navigate(held.to);
}

/** Asks for confirmation before the page is left, until the returned function is called. */
export function guardLeaving(loss: Loss): () => void {
  const guard = { ...loss };
  losses.add(guard);
  return () => losses.delete(guard);
}

/** Address of a page as the user left it, with filters. */
export function lastAddress(of: string): string {
  return addresses.get(of) ?? of;
}

/** For the router: the current path and how to change it. */
export function usePath(): [string, typeof navigate] {
  return [path.value, navigate];
}
usePath.hrefs = (href: string): string => `#${href}`;

/** The page's query and a function to change it without leaving the page: filters, tabs. */
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

/** True if leaving for this address must be confirmed first. */
function mustConfirm(to: string): boolean {
  const [loss] = losses;
  if (!loss || to.split('?', 1)[0] === path.value) return false;
  pendingNavigation.value = { to, loss };
  return true;
}

addEventListener('hashchange', () => {
  const to = readHash();
  if (mustConfirm(to)) {
    // Back button or a link from elsewhere: the address has already changed, so restore it until the user decides.
    history.pushState(null, '', `#${hash.value}`);
    return;
  }
  hash.value = to;
});
addEventListener('beforeunload', (event) => {
  if (losses.size > 0) event.preventDefault();
});
