import './sign-in.css';
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { DoorField, DoorForm } from '../door/door-form.tsx';
import { CodeForm, PasswordForm } from '../door/password-form.tsx';
import { ProviderButton, refusalText } from '../door/provider-button.tsx';
import { navigate, useQuery } from '../router.ts';
import { hasBeenPerson, methods, signIn, signInFault } from '../session.ts';
import { explainError } from '../talk/explain.ts';
import { Button } from '../ui/button.tsx';
import { useTitle } from '../use-title.ts';
import { DoorScore } from './door-score.tsx';

type Way = 'key' | 'password' | 'code';

function faultOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 401)
    return 'This key is invalid. The service printed it when it first started.';
  const { title, text } = explainError(error);
  return `${title}. ${text}`;
}

/** Asks for a password or an API key until the service accepts one. */
export function SignIn() {
  useTitle('Sign in');
  const [query] = useQuery();
  const refused = refusalText(query.get('refused'));
  const [way, setWay] = useState<Way>(() => {
    if (methods.value?.state === 'second-factor') return 'code';
    return hasBeenPerson() || refused !== '' ? 'password' : 'key';
  });
  const [why, setWhy] = useState('');
  const provider = methods.value?.openId;
  return (
    <main class="door">
      <DoorScore />
      <p class="wordmark">Parley</p>
      {way === 'key' && <KeyForm />}
      {way === 'password' && (
        <PasswordForm
          fault={why || refused || (signInFault.value ? 'You have been signed out.' : '')}
          onHalf={() => setWay('code')}
        />
      )}
      {way === 'code' && (
        <CodeForm
          onBack={(reason) => {
            setWhy(reason);
            setWay('password');
          }}
        />
      )}
      <div class="sign-in">
        {way !== 'code' && provider && <ProviderButton name={provider.name} />}
        <Button
          kind="quiet"
          id="other-way"
          onClick={() => setWay(way === 'password' ? 'key' : 'password')}
        >
          {way === 'password'
            ? 'Use an API key'
            : way === 'key'
              ? 'Use e-mail and password'
              : 'Begin again'}
        </Button>
        {way !== 'code' && (
          <Button kind="quiet" id="operator" onClick={() => navigate('/operator')}>
            Operator
          </Button>
        )}
      </div>
    </main>
  );
}

function KeyForm() {
  return (
    <DoorForm
      id="sign-in"
      title="Talk to your assistants"
      action="Sign in"
      fault={signInFault.value ? faultOf(signInFault.value) : ''}
      explain={faultOf}
      onSubmit={({ key = '' }) => signIn(key.trim())}
    >
      <DoorField
        name="key"
        label="API key"
        what="the key"
        type="password"
        autocomplete="off"
        help="The service printed it when it first started. It stays in this browser until you sign out."
      />
    </DoorForm>
  );
}
