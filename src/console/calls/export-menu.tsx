import type { Call } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';
import { saveFile } from '../save-file.ts';
import { useClient } from '../session.ts';
import { faultText } from '../ui/fault-text.ts';
import { Menu } from '../ui/menu.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';

type Part = 'json' | 'transcript' | 'recording' | 'journal';

const LONGEST_MS = 15 * 60_000;

/** Downloads of the call: record, transcript, recording and journal. */
export function ExportMenu({ call }: { readonly call: Call }) {
  const client = useClient();
  const save = useAction(async (part: Part) => {
    try {
      await FETCH[part](client, call.id);
    } catch (error) {
      showToast(`The export failed. ${faultText(error)}`, 'bad');
      throw error;
    }
  });
  const item = (value: Part, label: string, disabled = false) =>
    ({ value, label, icon: 'download', disabled, onSelect: () => void save.run(value) }) as const;
  return (
    <Menu
      label="Export the call"
      text="Export"
      items={[
        {
          value: 'link',
          label: 'Copy a link for the team',
          icon: 'copy',
          onSelect: () => void copyLink(),
        },
        item('json', 'Record, as JSON'),
        item('transcript', 'Transcript, as text'),
        item('recording', 'Recording, as WAV', call.recording === undefined),
        item('journal', 'Event log, as NDJSON'),
      ]}
    />
  );
}

/** The address of this page: whoever opens it signs in first. */
async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    showToast('The link is copied.');
  } catch {
    showToast('The browser does not allow copying. Copy the address of this page.', 'bad');
  }
}

const FETCH: Readonly<Record<Part, (client: Client, id: string) => Promise<void>>> = {
  async json(client, id) {
    const call = await client.call('getCall', { path: { id } });
    saveFile(new Blob([`${JSON.stringify(call, null, 2)}\n`]), `${id}.json`);
  },
  async transcript(client, id) {
    const query = { format: 'text' } as const;
    const response = await client.open('getCallTranscript', { path: { id }, query });
    saveFile(await response.blob(), `${id}.txt`);
  },
  async recording(client, id) {
    const response = await client.open('getCallRecording', { path: { id }, timeoutMs: LONGEST_MS });
    saveFile(await response.blob(), `${id}.wav`);
  },
  async journal(client, id) {
    const response = await client.open('getCallEvents', { path: { id }, timeoutMs: LONGEST_MS });
    saveFile(await response.blob(), `${id}.ndjson`);
  },
};
