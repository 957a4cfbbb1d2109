import type { VendorProblem } from '../../contract/vendors.ts';
import type { CarrierName } from '../../ports/carrier.ts';
import type { ServiceFigures } from '../../ports/service-health.ts';
import type { NamedVendors, TeamFigures } from '../../store/team-health.ts';

/** What is known, from which assessHealth tells what is wrong. */
export interface HealthFacts {
  readonly atMs: number;
  readonly team: TeamFigures;
  /** Absent: nothing is known of the processes. */
  readonly service: ServiceFigures | undefined;
  readonly vendorProblems: (named: NamedVendors) => readonly VendorProblem[];
  readonly hasCarrierAccount: (name: CarrierName) => boolean;
  /** Carriers know where to reach the service. */
  readonly hasPublicAddress: boolean;
  readonly ready: boolean;
  readonly hasRoom: boolean;
}
