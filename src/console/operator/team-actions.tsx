import { useState } from 'preact/hooks';
import type { NewApiKey, Team } from '../../client/api.generated.ts';
import type { FieldFaults } from '../field-faults.ts';
import { useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';

interface ActionProps {
  readonly team: Team;
  /** Gets what happened, in words. */
  readonly onChanged: (said: string) => void;
  readonly onClose: () => void;
}

/** Suspends the team, for a reason that it is told. */
export function SuspendTeam({ team, onChanged, onClose }: ActionProps) {
  const client = useClient();
  const [reason, setReason] = useState('');
  const [farewell, setFarewell] = useState('');
  return (
    <FormDialog
      title={`Suspend “${team.name}”?`}
      action="Suspend"
      shape="narrow"
      check={(): FieldFaults => (reason.trim() === '' ? { reason: 'Enter a reason.' } : {})}
      onSubmit={async () => {
        const body = { reason: reason.trim(), farewell: farewell.trim() };
        await client.call('suspendTeam', { path: { id: team.id }, body });
        onChanged(`“${team.name}” is suspended.`);
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <p>
            Its requests and calls are refused, and its live calls end within seconds. Nothing is
            deleted.
          </p>
          <TextField
            id="suspend-reason"
            label="Reason"
            help="Shown to the team with every refusal."
            value={reason}
            onChange={setReason}
            error={faults.reason}
            maxLength={500}
            autoFocus
          />
          <TextField
            id="suspend-farewell"
            label="Farewell"
            optional
            help="Spoken at the end of live calls. Default: a sentence in the language of the call."
            value={farewell}
            onChange={setFarewell}
            error={faults.farewell}
            maxLength={1000}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Ends the suspension. */
export function ResumeTeam({ team, onChanged, onClose }: ActionProps) {
  const client = useClient();
  return (
    <ConfirmDialog
      title={`Resume “${team.name}”?`}
      action="Resume"
      onConfirm={async () => {
        await client.call('resumeTeam', { path: { id: team.id } });
        onChanged(`“${team.name}” is active again.`);
      }}
      onClose={onClose}
    >
      <p>Its requests and calls are accepted again.</p>
    </ConfirmDialog>
  );
}

/** Deletes the team with everything it owns. */
export function DeleteTeam({ team, onChanged, onClose }: ActionProps) {
  const client = useClient();
  return (
    <ConfirmDialog
      title={`Delete “${team.name}”?`}
      action="Delete"
      onConfirm={async () => {
        await client.call('deleteTeam', { path: { id: team.id } });
        onChanged(`“${team.name}” is being deleted.`);
      }}
      onClose={onClose}
    >
      <p>
        Its calls, recordings, assistants, knowledge, numbers and keys are deleted. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  );
}

interface TeamKeyProps {
  readonly team: Team;
  readonly onMade: (key: NewApiKey) => void;
  readonly onClose: () => void;
}

/** Creates an admin’s key, for a team that has lost its own. */
export function TeamKey({ team, onMade, onClose }: TeamKeyProps) {
  const client = useClient();
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={`API key for “${team.name}”`}
      action="Create key"
      shape="narrow"
      check={(): FieldFaults => (name.trim() === '' ? { name: 'Enter a name.' } : {})}
      onSubmit={async () => {
        const body = { name: name.trim() };
        onMade(await client.call('createTeamApiKey', { path: { id: team.id }, body }));
      }}
      onClose={onClose}
    >
      {(faults) => (
        <TextField
          id="team-key-name"
          label="Name"
          help="For a team that has lost its own. The key has the role of an admin."
          value={name}
          onChange={setName}
          error={faults.name}
          maxLength={200}
          autoFocus
        />
      )}
    </FormDialog>
  );
}
