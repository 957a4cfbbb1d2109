import { useRef, useState } from 'preact/hooks';
import type { FactorSetup } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { QrCode } from './qr-code.tsx';

interface FactorDialogProps {
  readonly hasPassword: boolean;
  /** Called with the recovery codes. */
  readonly onConfirmed: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Sets a second factor up: the password first, then a code of the app. */
export function FactorDialog(props: FactorDialogProps) {
  const [setup, setSetup] = useState<FactorSetup>();
  if (!setup) return <CheckPassword {...props} onStarted={setSetup} />;
  return <ConfirmFactor {...props} setup={setup} />;
}

function CheckPassword({
  hasPassword,
  onStarted,
  onClose,
}: FactorDialogProps & { readonly onStarted: (setup: FactorSetup) => void }) {
  const client = useClient();
  const started = useRef<FactorSetup>();
  return (
    <ProofDialog
      title="Add an authenticator app"
      action="Go on"
      hasPassword={hasPassword}
      field="password"
      onSubmit={async (body) => {
        started.current = await client.call('startSecondFactor', { body });
      }}
      // The form closes when it is done, and the next one opens.
      onClose={() => (started.current ? onStarted(started.current) : onClose())}
    >
      {() => <p>You get a QR code for the app, and confirm it by the digits that the app shows.</p>}
    </ProofDialog>
  );
}

function ConfirmFactor({
  setup: { secret, uri },
  onConfirmed,
  onClose,
}: FactorDialogProps & { readonly setup: FactorSetup }) {
  const client = useClient();
  const [code, setCode] = useState('');
  return (
    <FormDialog
      title="Add an authenticator app"
      action="Confirm"
      shape="narrow"
      check={() => missingCode(code)}
      onSubmit={async () => {
        const { recoveryCodes } = await client.call('confirmSecondFactor', { body: { code } });
        onConfirmed(recoveryCodes);
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <p>Scan this with the app, or type the secret into it.</p>
          <QrCode text={uri} label="QR code for the authenticator app" />
          <p>
            <code id="factor-secret">{secret}</code>
          </p>
          <CodeField code={code} onChange={setCode} fault={faults.code} />
        </>
      )}
    </FormDialog>
  );
}

interface RemoveFactorDialogProps {
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Removes one's second factor, by a code of it. */
export function RemoveFactorDialog({ onRemoved, onClose }: RemoveFactorDialogProps) {
  const client = useClient();
  const [code, setCode] = useState('');
  return (
    <FormDialog
      title="Remove the second factor"
      action="Remove"
      done="The second factor was removed."
      shape="narrow"
      check={() => missingCode(code)}
      onSubmit={async () => {
        await client.call('removeSecondFactor', { body: { code } });
        onRemoved();
      }}
      onClose={onClose}
    >
      {(faults) => <CodeField code={code} onChange={setCode} fault={faults.code} />}
    </FormDialog>
  );
}

const missingCode = (code: string): Readonly<Record<string, string>> =>
  code.trim() === '' ? { code: 'Enter the code.' } : {};

interface CodeFieldProps {
  readonly code: string;
  readonly onChange: (code: string) => void;
  readonly fault: string | undefined;
}

function CodeField({ code, onChange, fault }: CodeFieldProps) {
  return (
    <TextField
      id="factor-code"
      label="Code"
      help="The six digits that the app shows."
      autocomplete="one-time-code"
      value={code}
      onChange={onChange}
      error={fault}
      autoFocus
    />
  );
}
