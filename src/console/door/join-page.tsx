import '../pages/sign-in.css';
import { useEffect, useState } from 'preact/hooks';
import type { OpenInvitation, SignInMethods } from '../../client/api.generated.ts';
import { DoorScore } from '../pages/door-score.tsx';
import { navigate, useQuery } from '../router.ts';
import { enter, visitor } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { useTitle } from '../use-title.ts';
import { DoorField, DoorForm } from './door-form.tsx';
import { ProviderButton } from './provider-button.tsx';

/** Accepts an invitation, whose token stands in the address. */
export function JoinPage() {
  useTitle('Invitation');
  const [query] = useQuery();
  const token = query.get('token') ?? '';
  const [invitation, setInvitation] = useState<OpenInvitation>();
  const [methods, setMethods] = useState<SignInMethods>();
  const [fault, setFault] = useState('');
  useEffect(() => {
    const open = visitor();
    Promise.all([open.call('openInvitation', { body: { token } }), open.call('getSignInMethods')])
      .then(([found, ways]) => {
        setInvitation(found);
        setMethods(ways);
      })
      .catch((error: unknown) => setFault(faultText(error)));
  }, [token]);

  return (
    <main class="door">
      <DoorScore />
      <p class="wordmark">Parley</p>
      {fault !== '' && (
        <div class="sign-in">
          <h1>This link does not work</h1>
          <p role="alert">{fault} Ask for a new invitation.</p>
          <Button onClick={() => navigate('/', { replace: true })}>Sign in</Button>
        </div>
      )}
      {invitation && (
        <DoorForm
          id="join"
          title={`Join ${invitation.teamName}`}
          action="Create account"
          explain={faultText}
          onSubmit={async (entered) => {
            const { email, name = '', password = '' } = entered;
            const body = { token, name, password, ...(email ? { email } : {}) };
            await visitor().call('acceptInvitation', { body });
            // The token is used up: it need not stay in the history.
            navigate('/', { replace: true });
            await enter();
          }}
          foot={methods?.openId && <ProviderButton name={methods.openId.name} invitation={token} />}
        >
          <p class="help">
            As {invitation.role}
            {invitation.email ? `, with the address ${invitation.email}.` : '.'}
          </p>
          {!invitation.email && (
            <DoorField
              name="email"
              label="E-mail address"
              what="your e-mail address"
              type="email"
              autocomplete="username"
            />
          )}
          <DoorField name="name" label="Your name" what="your name" autocomplete="name" />
          <DoorField
            name="password"
            label="Password"
            what="a password"
            type="password"
            autocomplete="new-password"
            help="Twelve characters or more."
          />
        </DoorForm>
      )}
    </main>
  );
}
