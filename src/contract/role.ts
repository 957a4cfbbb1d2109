import { z } from 'zod';

/** What somebody may do, least first. Each role may do everything that those before it may. */
export const ROLES = ['viewer', 'reviewer', 'builder', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export const RoleSchema = z
  .enum(ROLES)
  .describe(
    'viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, and makes API keys.',
  );

/** The least role that an operation asks for; `operator`: the key of the service's operator, whatever the team. */
export type Access = Role | 'operator';

/** True if somebody of this role may do what asks for `least`. */
export function mayDo(role: Role, least: Access): boolean {
  return least !== 'operator' && ROLES.indexOf(role) >= ROLES.indexOf(least);
}
