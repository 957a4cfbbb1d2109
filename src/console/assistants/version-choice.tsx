import type { AssistantVersion } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import type { FieldProps } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { useLoad } from '../use-load.ts';

interface VersionChoiceProps extends FieldProps {
  readonly assistantId: string;
  /** What no choice means. */
  readonly none: string;
  /** The number of a version, or a label; empty: none. */
  readonly value: string;
  readonly onChange: (version: string) => void;
}

/** Choice of a version of an assistant; not shown if the assistant is gone. */
export function VersionChoice({ assistantId, none, ...field }: VersionChoiceProps) {
  const client = useClient();
  const { data } = useLoad(
    (signal) => client.call('listAssistantVersions', { path: { id: assistantId }, signal }),
    [client, assistantId],
  );
  if (!data) return null;
  const options = data.map((version) => ({
    value: String(version.version),
    label: described(version),
  }));
  return <Select {...field} options={[{ value: '', label: none }, ...options]} />;
}

function described({ version, published, labels, note }: AssistantVersion): string {
  const marks = [...(published ? ['published'] : []), ...labels];
  const beside = marks.length > 0 ? ` (${marks.join(', ')})` : '';
  return `Version ${version}${beside}${note === '' ? '' : `: ${note}`}`;
}
