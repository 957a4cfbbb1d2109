import { z } from 'zod';

/** What somebody may do, least first. Each role may do everything that those before it may. */
export const ROLES = ['viewer', 'reviewer', 'builder', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export const RoleSchema = z
  .enum(ROLES)
  .describe(
    'viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people.',
  );

/**
 * What an operation asks for: the least role, whoever sends it; `person`: somebody who has signed in, whatever the role;
 * `anyone`: nothing; `operator`: the key of the service's operator, whatever the team.
 */
export type Access = Role | 'person' | 'anyone' | 'operator';

const isRole = (access: Access): access is Role => (ROLES as readonly Access[]).includes(access);

/** True if somebody of this role may do what asks for `least`; never true of what no role opens. */
export function mayDo(role: Role, least: Access): boolean {
  return isRole(least) && ROLES.indexOf(role) >= ROLES.indexOf(least);
}
