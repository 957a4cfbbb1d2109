import type { Clock, Timer } from '../ports/clock.ts';
import { accountOfStt } from './stt-vendors.ts';
import { accountOfTts } from './tts-vendors.ts';
import { findAccess, type VendorAccesses, type VendorAccount } from './usable-vendor.ts';
import type { VendorSet } from './vendor-set.ts';

/** What a team has of vendors beside the service's own accounts. */
export interface TeamVendors {
  /** Differs whenever the accesses do. */
  readonly version: string;
  readonly accesses: VendorAccesses;
  /** Requests of one kind to one vendor at once, whosever account they use. */
  readonly concurrency?: number | undefined;
}

/** A team's own accounts; where they name no server, the one that the service uses for the vendor, if it names one. */
export function withServers(own: VendorAccesses, service: VendorAccesses): VendorAccesses {
  const names = Object.keys(own) as (keyof VendorAccesses)[];
  return Object.fromEntries(
    names.map((name) => {
      const baseUrl = service[name]?.baseUrl;
      return [name, { ...(baseUrl === undefined ? {} : { baseUrl }), ...own[name] }];
    }),
  );
}

interface Made {
  readonly version: string;
  /** Adapters for the team's own accounts. */
  readonly own: VendorSet;
  /** Those, and the service's for all others. */
  readonly all: VendorSet;
}

/** Longer than any call: adapters of replaced accounts may be in use so long. */
const RETIRE_MS = 125 * 60_000;

/** The adapters of teams that have accounts of their own. */
export class TeamVendorSets {
  readonly #service: VendorSet;
  readonly #create: (accesses: VendorAccesses) => VendorSet;
  readonly #clock: Clock;
  #teams: ReadonlyMap<string, TeamVendors> = new Map();
  /** By team, of those that still have accounts. */
  readonly #made = new Map<string, Made>();
  readonly #retired = new Map<VendorSet, Timer>();

  /** `create` makes adapters for some accounts; `service` has those for the service's own. */
  constructor(service: VendorSet, create: (accesses: VendorAccesses) => VendorSet, clock: Clock) {
    this.#service = service;
    this.#create = create;
    this.#clock = clock;
  }

  /** Replaces what is known of teams; a team that is not named has the service's accounts. */
  set(teams: ReadonlyMap<string, TeamVendors>): void {
    this.#teams = teams;
    for (const [team, { version }] of this.#made)
      if (teams.get(team)?.version !== version) this.#retire(team);
  }

  concurrencyOf(team: string): number | undefined {
    return this.#teams.get(team)?.concurrency;
  }

  /** The accounts that a team's calls use: its own, else the service's. */
  accessesOf(team: string | undefined, service: VendorAccesses): VendorAccesses {
    const own = team === undefined ? undefined : this.#teams.get(team)?.accesses;
    return own ? { ...service, ...withServers(own, service) } : service;
  }

  of(team: string | undefined): VendorSet {
    const vendors = team === undefined ? undefined : this.#teams.get(team);
    if (team === undefined || !vendors || Object.keys(vendors.accesses).length === 0)
      return this.#service;
    const made = this.#made.get(team) ?? this.#make(vendors);
    this.#made.set(team, made);
    return made.all;
  }

  close(): void {
    for (const { own } of this.#made.values()) own.close();
    for (const [own, timer] of this.#retired) {
      this.#clock.clearTimeout(timer);
      own.close();
    }
  }

  #make({ version, accesses }: TeamVendors): Made {
    const own = this.#create(accesses);
    const service = this.#service;
    const setFor = (account: VendorAccount | undefined) =>
      account !== undefined && findAccess(accesses, account).apiKey !== undefined ? own : service;
    const ofLlm = (provider: string) => setFor(provider as VendorAccount);
    const all: VendorSet = {
      llm: (choice) => ofLlm(choice.provider).llm(choice),
      stt: (vendor) => setFor(accountOfStt(vendor)).stt(vendor),
      tts: (vendor) => setFor(accountOfTts(vendor)).tts(vendor),
      breaker: (kind, vendor) =>
        setFor(kind === 'stt' ? accountOfStt(vendor) : accountOfTts(vendor)).breaker(kind, vendor),
      close: () => own.close(),
    };
    return { version, own, all };
  }

  #retire(team: string): void {
    const made = this.#made.get(team);
    this.#made.delete(team);
    if (!made) return;
    const { own } = made;
    const timer = this.#clock.setTimeout(() => {
      this.#retired.delete(own);
      own.close();
    }, RETIRE_MS);
    this.#retired.set(own, timer);
  }
}
