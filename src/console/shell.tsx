import type { ComponentChildren } from 'preact';
import { Link, useRoute } from 'wouter-preact';
import { signOut } from './session.ts';
import { type Theme, theme } from './theme.ts';

const PLACES = [
  ['/talk', 'Talk'],
  ['/api-keys', 'API keys'],
] as const;

function Place({ path, name }: { readonly path: string; readonly name: string }) {
  const [here] = useRoute(`${path}/*?`);
  return (
    <li>
      <Link href={path} aria-current={here ? 'page' : undefined}>
        {name}
      </Link>
    </li>
  );
}

const NEXT_THEME: Readonly<Record<Theme, Theme>> = {
  system: 'light',
  light: 'dark',
  dark: 'system',
};

/** What stands around every page: where one is, and the way out. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={focusMain}>
        Skip to the page
      </button>
      <header class="side">
        <h1 class="wordmark">Parley</h1>
        <nav aria-label="Pages">
          <ul class="places">
            {PLACES.map(([path, name]) => (
              <Place key={path} path={path} name={name} />
            ))}
          </ul>
        </nav>
        <div class="side-foot">
          <a href="../docs" target="_blank" rel="noopener">
            API
          </a>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              theme.value = NEXT_THEME[theme.value];
            }}
          >
            Theme: {theme.value}
          </button>
          <button type="button" id="sign-out" class="quiet" onClick={() => signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

// Not a link: the address's hash is the router's.
function focusMain(): void {
  document.getElementById('main')?.focus();
}
