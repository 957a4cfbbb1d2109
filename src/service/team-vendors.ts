import { repeat } from '../lib/repeat.ts';
import { environmentName, type VendorAccess, type VendorAccount } from '../lib/vendor-accounts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Providers } from '../providers/registry.ts';
import type { TeamVendors } from '../providers/team-vendors.ts';
import type { Db } from '../store/db.ts';
import { listVendorLimits, openVendorAccounts, vendorsMark } from '../store/vendor-credentials.ts';

interface Deps {
  readonly db: Db;
  readonly providers: Pick<Providers, 'setTeams'>;
  readonly clock: Clock;
  readonly log: Log;
}

const LOOK_MS = 2000;

/** Tells the providers of the teams' own accounts and limits, so that calls have them without asking. */
export interface TeamVendorsWatch {
  /** Tells them at once of what has changed. */
  refresh(): Promise<void>;
  /** Tells them now and within two seconds of each change, until it is stopped. */
  start(): Promise<void>;
  stop(): void;
}

export function watchTeamVendors({ db, providers, clock, log }: Deps): TeamVendorsWatch {
  let mark = '';
  let stop = (): void => {};

  const refresh = async (): Promise<void> => {
    const now = await vendorsMark(db);
    if (now === mark) return;
    providers.setTeams(await readTeams(db));
    mark = now;
  };
  const look = async (): Promise<void> => {
    try {
      await refresh();
    } catch (err) {
      log.warn({ err }, 'the vendors’ accounts of teams could not be read');
    }
  };

  return {
    refresh,
    async start() {
      await look();
      stop = repeat(clock, LOOK_MS, look);
    },
    stop: () => stop(),
  };
}

async function readTeams(db: Db): Promise<ReadonlyMap<string, TeamVendors>> {
  const teams = new Map<string, TeamVendors>();
  const none = { version: '', accesses: {} };
  for (const { teamId, most } of await listVendorLimits(db))
    teams.set(teamId, { ...none, concurrency: most });
  for (const { teamId, vendor, version, ...account } of await openVendorAccounts(db)) {
    const known = teams.get(teamId) ?? none;
    const { apiKey, baseUrl, concurrency } = account;
    const access: VendorAccess = {
      apiKey,
      ...(baseUrl === null ? {} : { baseUrl }),
      ...(concurrency === null ? {} : { concurrency }),
    };
    const name = environmentName(vendor as VendorAccount);
    const accesses = { ...known.accesses, [name]: access };
    teams.set(teamId, { ...known, version: known.version + version, accesses });
  }
  return teams;
}
