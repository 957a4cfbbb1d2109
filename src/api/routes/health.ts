import type { Contract } from '../../contract/contract.ts';
import { HEALTH_HOURS } from '../../contract/health.ts';
import { readTeamFigures } from '../../store/team-health.ts';
import type { ApiDeps } from '../deps.ts';
import { assessHealth } from '../health/assess.ts';
import { usedAccounts } from '../health/used-accounts.ts';
import { type Routing, serve } from '../route.ts';
import { readVendorAccounts } from '../vendor-accounts.ts';

const SINCE_MS = HEALTH_HOURS * 3_600_000;

/** What is wrong with a team's set-up and with the service; nothing outside is asked. */
export function healthRoutes(
  routing: Routing,
  operations: Contract['health'],
  deps: ApiDeps & { readonly now: () => number },
): void {
  const { db, carriers, vendorProblems, carrierBaseUrl, now } = deps;

  serve(routing, operations.get, async ({ teamId }) => {
    const atMs = now();
    await deps.vendorTrials?.refresh();
    const [team, service, hasRoom, accounts] = await Promise.all([
      readTeamFigures(db, { teamId, since: new Date(atMs - SINCE_MS) }),
      deps.serviceFigures?.(),
      deps.hasRoom(),
      readVendorAccounts(deps, teamId),
    ]);
    const assessed = assessHealth({
      ...{ atMs, team, service, hasRoom },
      vendorProblems: (named) => vendorProblems(named, teamId),
      hasCarrierAccount: (name) =>
        name === 'emulator' || carriers.ownCredentials(name) !== undefined,
      hasPublicAddress: carrierBaseUrl !== undefined,
      ready: deps.ready(),
    });
    const parts = deps.vendorTrials?.parts(teamId) ?? [];
    return { ...assessed, vendors: usedAccounts(team.vendors, { parts, accounts }) };
  });
}
