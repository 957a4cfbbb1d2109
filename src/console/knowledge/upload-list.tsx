import { Button } from '../ui/button.tsx';
import { Progress } from '../ui/progress.tsx';
import { sizeText } from './file-check.ts';
import type { Upload } from './upload.ts';

interface UploadListProps {
  readonly uploads: readonly Upload[];
  readonly onDrop: (id: number) => void;
  readonly onRetry: (id: number) => void;
}

const STATES: Readonly<Record<Upload['state'], string>> = {
  waiting: 'Waiting',
  sending: 'Sending',
  reading: 'Processing',
  attaching: 'Adding',
  failed: 'Not added',
};

/** Uploads in progress, and failed ones with their errors. */
export function UploadList({ uploads, onDrop, onRetry }: UploadListProps) {
  return (
    <ul id="uploads" class="kb-uploads" aria-label="Uploads">
      {uploads.map((upload) => (
        <li key={upload.id} class="kb-upload" data-state={upload.state}>
          <div class="kb-upload-text">
            <span class="kb-upload-name">{upload.name}</span>{' '}
            <span class="soft numeric">{sizeText(upload.sizeBytes)}</span>
            {upload.state === 'failed' ? (
              <p class="field-fault">{upload.fault}</p>
            ) : (
              <Progress label={STATES[upload.state]} value={shareOf(upload)} />
            )}
          </div>
          <div class="row">
            {upload.canRetry && (
              <Button small icon="refresh" onClick={() => onRetry(upload.id)}>
                Try again
              </Button>
            )}
            <Button
              small
              kind="quiet"
              icon="close"
              aria-label={
                upload.state === 'failed'
                  ? `Remove ${upload.name} from the list`
                  : `Stop ${upload.name}`
              }
              onClick={() => onDrop(upload.id)}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

function shareOf({ state, share }: Upload): number | undefined {
  if (state === 'waiting') return 0;
  return state === 'sending' ? share : undefined;
}
