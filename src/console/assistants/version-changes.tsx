import type { VersionChange } from '../../client/api.generated.ts';
import { pathLabel } from '../form/field-text.ts';
import { useClient } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';
import { ASSISTANT_TEXTS } from './field-texts.ts';

interface VersionChangesProps {
  readonly assistantId: string;
  readonly version: number;
  readonly onClose: () => void;
}

/** What a version has changed, field by field. */
export function VersionChanges({ assistantId, version, onClose }: VersionChangesProps) {
  const client = useClient();
  const path = { id: assistantId, version: String(version) };
  const changes = useLoad(
    (signal) => client.call('compareAssistantVersions', { path, signal }),
    [client, assistantId, version],
  );
  return (
    <Dialog title={`What version ${version} has changed`} shape="wide" onClose={onClose}>
      {changes.error !== undefined && (
        <ErrorState
          title="The changes could not be loaded"
          error={changes.error}
          onRetry={changes.reload}
        />
      )}
      {!changes.data && changes.error === undefined && <Skeleton lines={4} />}
      {changes.data?.length === 0 && (
        <p class="soft">
          {version === 1 ? 'This is the first version.' : 'No visible changes: perhaps a secret.'}
        </p>
      )}
      <dl class="version-changes">
        {changes.data?.map((change) => (
          <Change key={change.path} change={change} />
        ))}
      </dl>
    </Dialog>
  );
}

function Change({ change: { path, before, after } }: { readonly change: VersionChange }) {
  return (
    <div>
      <dt>{pathLabel(ASSISTANT_TEXTS, path)}</dt>
      <dd>
        {before !== undefined && <del>{asText(before)}</del>}
        {after !== undefined && <ins>{asText(after)}</ins>}
      </dd>
    </div>
  );
}

function asText(value: unknown): string {
  if (value === '') return '(empty)';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
