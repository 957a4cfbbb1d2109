import type { SpokenConditionReport } from '../../client/api.generated.ts';
import { DataTable } from '../ui/data-table.tsx';
import { CONDITION_NAMES } from './condition-names.ts';

const percent = (share: number | undefined) =>
  share === undefined ? '–' : `${Math.round(100 * share)} %`;
const time = (ms: number | undefined) => (ms === undefined ? '–' : `${Math.round(ms)} ms`);

/** What was measured of spoken tests in each condition. */
export function ConditionTable({ rows }: { readonly rows: readonly SpokenConditionReport[] }) {
  return (
    <DataTable
      id="conditions"
      label="By condition"
      rows={rows}
      rowKey={({ condition }) => condition}
      columns={[
        { title: 'Condition', cell: ({ condition }) => CONDITION_NAMES[condition] },
        { title: 'Passed', end: true, cell: ({ passed, calls }) => `${passed} of ${calls}` },
        { title: 'Words recognised', end: true, cell: ({ recognised }) => percent(recognised) },
        { title: 'Turns answered', end: true, cell: ({ answered }) => percent(answered) },
        { title: 'Heard after', end: true, cell: ({ heardP50Ms }) => time(heardP50Ms) },
        { title: '95 % within', end: true, cell: ({ heardP95Ms }) => time(heardP95Ms) },
        { title: 'Stops after', end: true, cell: ({ stopP50Ms }) => time(stopP50Ms) },
        { title: 'Cut-ins', end: true, cell: ({ cutIns }) => cutIns },
        { title: 'Lost replies', end: true, cell: ({ lostReplies }) => lostReplies },
      ]}
    />
  );
}
