/** Drawn on a grid of 20, as lines; what stands here is all that the console uses. */
const PATHS = {
  overview: 'M3 10.5 10 4l7 6.5M5 9v7.5h10V9M8.5 16.5V12h3v4.5',
  assistants:
    'M4 9.5a6 6 0 0 1 12 0M4 9.5v3a1.5 1.5 0 0 0 3 0V11a1.5 1.5 0 0 0-3 0M16 9.5v3a1.5 1.5 0 0 1-3 0V11a1.5 1.5 0 0 1 3 0M14.5 14.5c0 1.5-1.5 2-3.5 2',
  calls:
    'M4.2 3.5h2.5l1.3 3.3-1.6 1.4a9.5 9.5 0 0 0 5.4 5.4l1.4-1.6 3.3 1.3v2.5a1.2 1.2 0 0 1-1.3 1.2A12.5 12.5 0 0 1 3 4.8 1.2 1.2 0 0 1 4.2 3.5Z',
  talk: 'M10 3a2.5 2.5 0 0 0-2.5 2.5v4a2.5 2.5 0 0 0 5 0v-4A2.5 2.5 0 0 0 10 3ZM5 9.5a5 5 0 0 0 10 0M10 14.5V17',
  knowledge:
    'M10 5.5C8.5 4.3 6 4 3.5 4.2v11C6 15 8.5 15.3 10 16.5c1.5-1.2 4-1.5 6.5-1.3v-11C14 4 11.5 4.3 10 5.5ZM10 5.5v11',
  tools:
    'M12.5 3.5a4 4 0 0 0-3.7 5.5L3.5 14.3l2.2 2.2L11 11.2a4 4 0 0 0 5.3-4.6l-2.4 2.4-2.3-.6-.6-2.3 2.4-2.4a4 4 0 0 0-.9-.2Z',
  numbers: 'M7.5 3.5 6 16.5M14 3.5l-1.5 13M3.5 7.5h13.5M3 12.5h13.5',
  keys: 'M12.5 3.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM9.7 10.3 3.5 16.5M5.5 14.5l2 2M13 7.2h.01',
  plus: 'M10 4v12M4 10h12',
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  close: 'M5 5l10 10M15 5 5 15',
  up: 'M5.5 12.5 10 8l4.5 4.5',
  down: 'M5.5 8l4.5 4.5L14.5 8',
  right: 'M8 5.5l4.5 4.5L8 14.5',
  more: 'M10 5h.01M10 10h.01M10 15h.01',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l3.5 3.5',
  copy: 'M7.5 7.5h9v9h-9ZM12.5 7.5v-4h-9v9h4',
  check: 'M4 10.5l4 4 8-9',
  trash: 'M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 9v4.5M11.5 9v4.5',
  download: 'M10 3.5v9M6.5 9l3.5 3.5L13.5 9M4 16.5h12',
  upload: 'M10 12.5v-9M6.5 7 10 3.5 13.5 7M4 16.5h12',
  refresh: 'M16 5v4h-4M16 9a6.3 6.3 0 1 0 .3 3',
  play: 'M6 4l10 6-10 6Z',
  pause: 'M6.5 4.5v11M13.5 4.5v11',
  warning: 'M10 3.5 17.5 16.5h-15ZM10 8.5v3.5M10 14.3h.01',
  out: 'M8 3.5H4v13h4M12 6.5 15.5 10 12 13.5M15.5 10H8',
  theme: 'M10 3.5a6.5 6.5 0 1 0 0 13ZM10 3.5a6.5 6.5 0 0 1 0 13',
  docs: 'M5 3.5h7l3 3v10H5ZM12 3.5v3h3M7.5 10h5M7.5 13h5',
  edit: 'M4 13.5V16h2.5L16 6.5 13.5 4ZM11.5 6 14 8.5',
  keypad:
    'M5 4.5h.01M10 4.5h.01M15 4.5h.01M5 9h.01M10 9h.01M15 9h.01M5 13.5h.01M10 13.5h.01M15 13.5h.01M10 17.5h.01',
  forward: 'M11.5 5l5 5-5 5M16.5 10h-8a5 5 0 0 0-5 5',
  handset:
    'M4.2 3.5h2.5l1.3 3.3-1.6 1.4a9.5 9.5 0 0 0 5.4 5.4l1.4-1.6 3.3 1.3v2.5a1.2 1.2 0 0 1-1.3 1.2A12.5 12.5 0 0 1 3 4.8 1.2 1.2 0 0 1 4.2 3.5Z',
  muted:
    'M12.5 8V5.5a2.5 2.5 0 0 0-5 0v4a2.5 2.5 0 0 0 3.5 2.3M5 9.5a5 5 0 0 0 7.5 4.3M15 9.5a5 5 0 0 1-.3 1.7M10 14.5V17M3.5 3.5l13 13',
  sound: 'M4 8v4h2.5l3.5 3V5L6.5 8ZM12.5 7.5a3.5 3.5 0 0 1 0 5M14.5 5.5a6.5 6.5 0 0 1 0 9',
  silent: 'M4 8v4h2.5l3.5 3V5L6.5 8ZM13 8l4 4M17 8l-4 4',
  ear: 'M6 8a4 4 0 0 1 8 0c0 3-2.5 3.5-2.5 6a2.3 2.3 0 0 1-4.3 1.2M8 8a2 2 0 0 1 4 0',
} as const;

export type IconName = keyof typeof PATHS;

/** A line drawing beside words, which say what it means; alone it needs a label on what holds it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
