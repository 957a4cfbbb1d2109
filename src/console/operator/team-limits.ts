import type { TeamLimits } from '../../client/api.generated.ts';

type Limit = keyof TeamLimits;

/** The limits that a team may have, in the order in which they are shown. */
export const LIMITS: readonly {
  readonly name: Limit;
  readonly label: string;
  readonly unit?: string;
}[] = [
  { name: 'liveCalls', label: 'Live calls' },
  { name: 'callsPerSecond', label: 'Calls a second' },
  { name: 'callsPerDay', label: 'Calls a day' },
  { name: 'minutesPerMonth', label: 'Minutes a month', unit: 'min' },
  { name: 'storageMiB', label: 'Storage', unit: 'MiB' },
  { name: 'knowledgePassages', label: 'Knowledge passages' },
  { name: 'vendorConcurrency', label: 'Concurrent requests to a vendor' },
  { name: 'requestsPerSecond', label: 'API requests a second' },
];

/** The limits of a team in a line. */
export function limitsText(limits: TeamLimits): string {
  const set = LIMITS.flatMap(({ name, label, unit }) => {
    const value = limits[name];
    if (value === undefined) return [];
    return [
      `${label.toLowerCase()}: ${value.toLocaleString()}${unit === undefined ? '' : ` ${unit}`}`,
    ];
  });
  return set.length === 0 ? 'none' : set.join(', ');
}
