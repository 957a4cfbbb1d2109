import { visitor } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { useAction } from '../use-action.ts';

interface ProviderButtonProps {
  readonly name: string;
  /** Token of the invitation that is accepted by it. */
  readonly invitation?: string;
  /** Whoever is signed in confirms who they are. */
  readonly confirm?: true;
}

/** Leaves for the provider of OpenID Connect. */
export function ProviderButton({ name, invitation, confirm }: ProviderButtonProps) {
  const leave = useAction(async () => {
    const body = {
      ...(invitation === undefined ? {} : { invitation }),
      ...(confirm ? { confirm } : {}),
    };
    const { url } = await visitor().call('startOpenId', { body });
    location.assign(url);
  });
  return (
    <>
      <Button id="provider" busy={leave.busy} onClick={() => void leave.run()}>
        {confirm ? 'Confirm at' : 'Sign in with'} {name}
      </Button>
      {leave.error !== undefined && (
        <p class="field-fault" role="alert">
          {faultText(leave.error)}
        </p>
      )}
    </>
  );
}

const REFUSALS: Readonly<Record<string, string>> = {
  'openid-failed': 'The provider did not confirm the sign-in. Try again.',
  'openid-expired': 'The sign-in expired or was started in another browser. Try again.',
  'openid-unverified':
    'The provider has not verified your e-mail address. Verify it there, then try again.',
  'openid-unknown': 'Your e-mail address has no invitation. Ask an admin of your team.',
  'openid-taken': 'Your e-mail address is linked to another account at this provider.',
  'openid-password':
    'Your address has an account with a password here. Sign in with it, then confirm at the provider in Your account.',
  'openid-other': 'The account at the provider has a different e-mail address.',
  'openid-busy': 'There were too many attempts. Try again in a minute.',
  suspended: 'Your team is suspended.',
};

/** The sentence for a refusal by the provider, which stands in the address; empty without one. */
export const refusalText = (code: string | null): string =>
  code === null ? '' : (REFUSALS[code] ?? 'You were not signed in. Try again.');
