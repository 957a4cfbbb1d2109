import type { Contract } from '../../contract/contract.ts';
import type { OperationInput } from '../../contract/operation.ts';
import type { CallMatch } from '../../store/call-match.ts';

type Filter = Omit<OperationInput<Contract['calls']['export']>['query'], 'format'>;

/** Which calls the filter of a request means. */
export function matchOf({ startDate, endDate, live, reviewed, ...rest }: Filter) {
  return {
    ...rest,
    ...(startDate === undefined ? {} : { startDate: new Date(startDate) }),
    ...(endDate === undefined ? {} : { endDate: new Date(endDate) }),
    ...(live === undefined ? {} : { live: live === 'true' }),
    ...(reviewed === undefined ? {} : { reviewed: reviewed === 'true' }),
  } satisfies Omit<CallMatch, 'teamId'>;
}
