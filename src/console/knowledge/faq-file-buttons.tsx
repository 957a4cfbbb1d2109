import { useRef } from 'preact/hooks';
import { saveFile } from '../save-file.ts';
import { Button } from '../ui/button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { showToast } from '../ui/toasts.tsx';
import type { FaqDraft } from './faq-draft.ts';
import type { FaqEditor } from './use-faq.ts';

interface FaqFileButtonsProps extends Pick<FaqEditor, 'edit'> {
  readonly draft: FaqDraft;
  readonly title: string;
}

const MAX_BYTES = 20 * 1024 * 1024;

/** Exports the table to a CSV file and imports it; imported rows can be reviewed before saving. */
export function FaqFileButtons({ draft, edit, title }: FaqFileButtonsProps) {
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      if (file.size > MAX_BYTES) throw new Error('The file is larger than 20 MB');
      const { importFaq, readFaqCsv } = await import('./faq-csv.ts');
      const entries = readFaqCsv(await file.text());
      edit((now) => importFaq(now, entries));
    } catch (error) {
      showToast(`${file.name}: ${faultText(error)}`, 'bad');
    }
  };
  const write = async (): Promise<void> => {
    const { writeFaqCsv } = await import('./faq-csv.ts');
    // The byte order mark makes spreadsheets read the file as UTF-8.
    const content = new Blob(['\uFEFF', writeFaqCsv(draft)], { type: 'text/csv' });
    saveFile(content, `${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)}.csv`);
  };
  return (
    <>
      <Button icon="upload" onClick={() => input.current?.click()}>
        Import CSV
      </Button>
      {draft.rows.length > 0 && (
        <Button icon="download" onClick={write}>
          Export CSV
        </Button>
      )}
      <input
        ref={input}
        id="faq-file"
        class="visually-hidden"
        type="file"
        aria-label="CSV file with questions"
        tabIndex={-1}
        accept=".csv,.tsv,.txt,text/csv"
        onChange={({ currentTarget }) => {
          void read(currentTarget.files?.[0]);
          // Reset, so that choosing the same file again fires a change event.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
