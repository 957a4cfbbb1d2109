import { enter, visitor } from '../session.ts';
import { faultText } from '../ui/fault-text.ts';
import { DoorField, DoorForm } from './door-form.tsx';

interface PasswordFormProps {
  /** Why the user is here again. */
  readonly fault: string;
  /** The password was right, and a code is awaited. */
  readonly onHalf: () => void;
}

/** Asks for e-mail address and password. */
export function PasswordForm({ fault, onHalf }: PasswordFormProps) {
  return (
    <DoorForm
      id="sign-in"
      title="Talk to your assistants"
      action="Sign in"
      fault={fault}
      explain={faultText}
      onSubmit={async ({ email = '', password = '' }) => {
        const { state } = await visitor().call('signIn', { body: { email, password } });
        if (state === 'signed-in') await enter();
        else onHalf();
      }}
    >
      <DoorField
        name="email"
        label="E-mail address"
        what="your e-mail address"
        type="email"
        autocomplete="username"
      />
      <DoorField
        name="password"
        label="Password"
        what="your password"
        type="password"
        autocomplete="current-password"
      />
    </DoorForm>
  );
}

interface CodeFormProps {
  /** Too late, or too many wrong codes: the password is asked for again, and `why` says so. */
  readonly onBack: (why: string) => void;
}

/** Asks for the second factor. */
export function CodeForm({ onBack }: CodeFormProps) {
  return (
    <DoorForm
      id="sign-in"
      title="Second factor"
      action="Go on"
      explain={faultText}
      onSubmit={async ({ code = '' }) => {
        try {
          await visitor().call('giveSecondFactor', { body: { code } });
        } catch (error) {
          const { state } = await visitor().call('getSignInMethods');
          if (state === 'signed-out') onBack(faultText(error));
          throw error;
        }
        await enter();
      }}
    >
      <DoorField
        name="code"
        label="Code"
        what="the code"
        autocomplete="one-time-code"
        help="The six digits that your authenticator app shows, or one of your recovery codes."
      />
    </DoorForm>
  );
}
