import { saveFile } from '../save-file.ts';
import { useClient } from '../session.ts';
import { faultText } from '../ui/fault-text.ts';
import { Menu } from '../ui/menu.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { type CallFilters, matchOf } from './call-filters.ts';

const LONGEST_MS = 5 * 60_000;

/** Downloads the calls that the filters leave, on all pages. */
export function ExportList({ filters }: { readonly filters: CallFilters }) {
  const client = useClient();
  const save = useAction(async (format: 'csv' | 'json') => {
    try {
      const query = { ...matchOf(filters, Date.now()), format };
      const response = await client.open('exportCalls', { query, timeoutMs: LONGEST_MS });
      saveFile(await response.blob(), `calls.${format}`);
    } catch (error) {
      showToast(`The export failed. ${faultText(error)}`, 'bad');
      throw error;
    }
  });
  const item = (value: 'csv' | 'json', label: string) =>
    ({ value, label, icon: 'download', onSelect: () => void save.run(value) }) as const;
  return (
    <Menu
      label="Export these calls"
      text="Export"
      items={[item('csv', 'Table, as CSV'), item('json', 'Records, as JSON')]}
    />
  );
}
