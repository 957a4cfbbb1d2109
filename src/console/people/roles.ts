import type { Role } from '../session.ts';

/** The roles as options of a select. */
export const ROLE_OPTIONS: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'viewer', label: 'Viewer: sees the set-up and the statistics' },
  { value: 'reviewer', label: 'Reviewer: also reads and hears calls' },
  { value: 'builder', label: 'Builder: also changes the set-up, starts calls' },
  { value: 'admin', label: 'Admin: also has numbers, API keys and people' },
];
