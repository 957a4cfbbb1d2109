import { useState } from 'preact/hooks';
import type { KnowledgeBase, File as StoredFile } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import { saveFile } from '../save-file.ts';
import { clientWith, useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { Menu } from '../ui/menu.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import type { ChangeBase } from './change-base.ts';
import { DropZone } from './drop-zone.tsx';
import { sizeText } from './file-check.ts';
import { faultOfSource, isUnderway } from './training-status.ts';
import { uploadsText } from './upload.ts';
import { UploadList } from './upload-list.tsx';
import type { Uploads } from './use-uploads.ts';

interface FilesPanelProps {
  readonly base: KnowledgeBase;
  readonly uploads: Uploads;
  /** Increases with each completed upload. */
  readonly filesAdded: number;
  readonly change: ChangeBase;
}

/** Enough for a large file over a slow line. */
const DOWNLOAD_MS = 15 * 60_000;

/** Files of a base: stored ones, uploads in progress, and a drop zone. */
export function FilesPanel({ base, uploads, filesAdded, change }: FilesPanelProps) {
  const client = useClient();
  const [leaving, setLeaving] = useState<StoredFile>();
  const files = useLoad(
    async (signal) => (await client.call('listFiles', { signal })).files,
    [client, base.id, filesAdded],
  );
  const download = useAction(async ({ id, name }: StoredFile) => {
    try {
      const patient = clientWith({ timeoutMs: DOWNLOAD_MS });
      const response = await patient.open('getFileContent', { path: { id } });
      saveFile(await response.blob(), name);
    } catch (error) {
      showToast(faultText(error), 'bad');
      throw error;
    }
  });
  const remove = async ({ id }: StoredFile): Promise<void> => {
    await change((current) => ({ ...current, files: current.files.filter((it) => it.id !== id) }));
    try {
      await client.call('deleteFile', { path: { id } });
    } catch (error) {
      // 409: another base uses the file too, so it must stay.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    }
  };
  const own =
    files.data && base.files.flatMap(({ id }) => files.data?.find((it) => it.id === id) ?? []);
  return (
    <div class="stack">
      <DropZone onFiles={uploads.add} />
      <p class="visually-hidden" role="status">
        {uploadsText(uploads.items)}
      </p>
      {uploads.items.length > 0 && (
        <UploadList uploads={uploads.items} onDrop={uploads.drop} onRetry={uploads.retry} />
      )}
      {files.error !== undefined && (
        <ErrorState
          title="The files could not be loaded"
          error={files.error}
          onRetry={files.reload}
        />
      )}
      {base.files.length > 0 && files.error === undefined && (
        <DataTable
          id="files"
          label="Files"
          columns={[
            ...columnsFor(base),
            {
              title: '',
              end: true,
              cell: (file) => (
                <Menu
                  label={`Actions for ${file.name}`}
                  items={[
                    {
                      value: 'download',
                      label: 'Download',
                      icon: 'download',
                      onSelect: () => void download.run(file),
                    },
                    {
                      value: 'remove',
                      label: 'Remove',
                      icon: 'trash',
                      danger: true,
                      onSelect: () => setLeaving(file),
                    },
                  ]}
                />
              ),
            },
          ]}
          rows={own}
          rowKey={({ id }) => id}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title={`Remove “${leaving.name}”?`}
          action="Remove"
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            After the next training, assistants no longer find its content. Training begins at once.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function columnsFor(base: KnowledgeBase): [Column<StoredFile>, ...Column<StoredFile>[]] {
  return [
    { title: 'Name', cell: (file) => file.name },
    { title: 'Status', cell: (file) => <FileStatus base={base} file={file} /> },
    { title: 'Type', cell: (file) => file.format.toUpperCase() },
    { title: 'Size', cell: (file) => sizeText(file.sizeBytes), end: true },
    { title: 'Added', cell: (file) => <RelativeTime at={file.createdAt} />, end: true },
  ];
}

function FileStatus({ base, file }: { readonly base: KnowledgeBase; readonly file: StoredFile }) {
  const fault = faultOfSource(base, file.name);
  if (fault !== undefined)
    return (
      <div>
        <Badge tone="bad">Not read</Badge> <p class="field-fault">{fault}</p>
      </div>
    );
  if (isUnderway(base))
    return (
      <Badge tone="info" live>
        Reading
      </Badge>
    );
  if (base.status === 'trained') return <Badge tone="good">Searchable</Badge>;
  return <Badge>Not trained</Badge>;
}
