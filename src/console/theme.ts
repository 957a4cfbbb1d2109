import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const STORED = 'parley.theme';

/** Of this browser; `system` follows its setting. */
export const theme = signal<Theme>((localStorage.getItem(STORED) as Theme | null) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(STORED, theme.value);
});
