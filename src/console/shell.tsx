import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Navigation } from './navigation.tsx';
import { continueNavigation, pendingNavigation } from './router.ts';
import { signOut, who } from './session.ts';
import { type Theme, theme } from './theme.ts';
import { Button } from './ui/button.tsx';
import { ConfirmDialog } from './ui/confirm-dialog.tsx';
import { faultText } from './ui/fault-text.ts';
import { Icon } from './ui/icon.tsx';
import { showToast, Toasts } from './ui/toasts.tsx';
import { useTitleFocus } from './use-title-focus.ts';

const NEXT_THEME: Readonly<Record<Theme, Theme>> = {
  system: 'light',
  light: 'dark',
  dark: 'system',
};

/** The frame around every page: navigation, theme and sign-out. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const menu = useNarrowMenu(path);
  useTitleFocus(main, path);
  return (
    <div class="shell">
      {/* Not a link, because the router uses the address's hash. */}
      <button type="button" class="button secondary skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header ref={menu.side} class="side" data-open={menu.open || undefined}>
        <div class="side-top">
          <Link href="/" class="wordmark">
            Parley
          </Link>
          <span class="menu-button">
            <Button
              kind="quiet"
              icon={menu.open ? 'close' : 'menu'}
              aria-label="Menu"
              aria-expanded={menu.open}
              aria-controls="side-menu"
              onClick={menu.toggle}
            />
          </span>
        </div>
        <div id="side-menu" class="side-menu">
          <Navigation />
          <SideFoot />
        </div>
      </header>
      <main ref={main} id="main" tabIndex={-1} inert={menu.open}>
        {children}
      </main>
      <Toasts />
      {pendingNavigation.value && (
        <ConfirmDialog
          title={pendingNavigation.value.loss.title}
          action={pendingNavigation.value.loss.action}
          cancel="Stay"
          onConfirm={continueNavigation}
          onClose={() => {
            pendingNavigation.value = undefined;
          }}
        >
          <p>{pendingNavigation.value.loss.text}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function SideFoot() {
  return (
    <div class="side-foot">
      <a class="place" href="../docs" target="_blank" rel="noopener">
        <Icon name="docs" />
        API reference
      </a>
      <button
        type="button"
        class="place"
        onClick={() => {
          theme.value = NEXT_THEME[theme.value];
        }}
      >
        <Icon name="theme" />
        Theme: {theme.value}
      </button>
      {who.value && (
        <p id="who" class="signed-in">
          {who.value.teamName}
          <span>
            {who.value.person ? (
              <Link href="/account">{who.value.person.name}</Link>
            ) : (
              who.value.apiKey?.name
            )}
            , {who.value.role}
          </span>
        </p>
      )}
      <button type="button" id="sign-out" class="place" onClick={() => void signOutHere()}>
        <Icon name="out" />
        Sign out
      </button>
    </div>
  );
}

async function signOutHere(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    showToast(`You are still signed in. ${faultText(error)}`, 'bad');
  }
}

/**
 * On a narrow screen the navigation is behind a button. Escape or opening a page closes it; the page is inert
 * meanwhile.
 */
function useNarrowMenu(path: string) {
  const [open, setOpen] = useState(false);
  const side = useRef<HTMLElement>(null);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event): void => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return;
      setOpen(false);
      side.current?.querySelector<HTMLElement>('[aria-controls]')?.focus();
    };
    const wide = matchMedia('(min-width: 45.0625rem)');
    addEventListener('keydown', close);
    wide.addEventListener('change', close);
    return () => {
      removeEventListener('keydown', close);
      wide.removeEventListener('change', close);
    };
  }, [open]);
  return { open, side, toggle: () => setOpen(!open) };
}
