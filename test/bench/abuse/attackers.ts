import { getPriority, setPriority } from 'node:os';
import { serve } from '../calls/child.ts';
import { ATTACKS } from './attacks.ts';
import { startHostilePartners } from './hostile-partners.ts';
import { HostileTeam } from './hostile-team.ts';
import type { AttackersApi } from './messages.ts';

/** The attackers' own machine would be another one: here, where two want a core, the others come first. */
const NICER = 5;
setPriority(Math.min(19, getPriority() + NICER));
process.on('unhandledRejection', (error) => console.error(error));

const partners = await startHostilePartners();
let team: HostileTeam | undefined;
let running: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
let failed: string | undefined;
let cpuAtStart = process.cpuUsage();

const api: AttackersApi = {
  enlist({ url, key }) {
    team = new HostileTeam(url, key, partners);
  },
  begin(name) {
    const attack = ATTACKS[name];
    if (!team || !attack) throw new Error(`no attack "${name}"`);
    const stop = new AbortController();
    failed = undefined;
    team.takeCounts();
    partners.takeCounts();
    cpuAtStart = process.cpuUsage();
    const done = attack(team, stop.signal).catch((error: unknown) => {
      failed = error instanceof Error ? error.message : String(error);
    });
    running = { stop, done };
  },
  async end() {
    const { user, system } = process.cpuUsage(cpuAtStart);
    running?.stop.abort();
    await running?.done;
    running = undefined;
    const counts = { ...team?.takeCounts(), ...partners.takeCounts() };
    return { counts, cpuMs: (user + system) / 1000, ...(failed ? { failed } : {}) };
  },
};

serve(api as never);
