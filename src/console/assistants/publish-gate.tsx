import { may, useClient } from '../session.ts';
import { faultText } from '../ui/fault-text.ts';
import { Switch } from '../ui/toggle.tsx';
import { useAction } from '../use-action.ts';

interface PublishGateProps {
  readonly assistantId: string;
  readonly requireTests: boolean;
  readonly onChanged: (requireTests: boolean) => void;
}

/** The switch that only lets versions be published whose tests have passed. */
export function PublishGate({ assistantId, requireTests, onChanged }: PublishGateProps) {
  const client = useClient();
  const set = useAction(async (wanted: boolean) => {
    const request = { path: { id: assistantId }, body: { requireTests: wanted } };
    onChanged((await client.call('setPublishGate', request)).requireTests);
  });
  return (
    <Switch
      id="require-tests"
      label="Publish only when its tests pass"
      help={
        may('admin')
          ? 'A change is then saved as a draft, and published once all tests of this assistant have passed with it.'
          : 'An admin can change this.'
      }
      error={set.error === undefined ? undefined : faultText(set.error)}
      checked={requireTests}
      disabled={!may('admin') || set.busy}
      onChange={(wanted) => void set.run(wanted)}
    />
  );
}
