import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const STORED = 'parley.theme';

/** Stored in this browser; `system` follows the browser's setting. */
export const theme = signal<Theme>((localStorage.getItem(STORED) as Theme | null) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(STORED, theme.value);
});
