import type { Role } from '../session.ts';

/** The roles as options of a select. */
export const ROLE_OPTIONS: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'viewer', label: 'Viewer: sees settings and statistics' },
  { value: 'reviewer', label: 'Reviewer: also reads and listens to calls' },
  { value: 'builder', label: 'Builder: also changes settings and starts calls' },
  { value: 'admin', label: 'Admin: also manages numbers, API keys and people' },
];
