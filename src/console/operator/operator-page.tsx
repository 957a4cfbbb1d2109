import '../pages/sign-in.css';
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { Client } from '../../client/client.ts';
import { DoorField, DoorForm } from '../door/door-form.tsx';
import { DoorScore } from '../pages/door-score.tsx';
import { navigate } from '../router.ts';
import { BASE_URL, OwnClient } from '../session.ts';
import { explainError } from '../talk/explain.ts';
import { Button } from '../ui/button.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { useTitle } from '../use-title.ts';
import { TeamsPage } from './teams-page.tsx';

/** The teams of the service, for its operator. The operator's key is kept by this page alone, until it is left. */
export function OperatorPage() {
  const [client, setClient] = useState<Client>();
  if (!client) return <OperatorDoor onOpen={setClient} />;
  return (
    <OwnClient.Provider value={client}>
      <main id="main">
        <TeamsPage onLeave={() => setClient(undefined)} />
      </main>
      <Toasts />
    </OwnClient.Provider>
  );
}

function faultOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return 'This key is invalid.';
  if (error instanceof ApiError && error.status === 404)
    return 'The service was started without ADMIN_KEY: set it, and restart the service.';
  const { title, text } = explainError(error);
  return `${title}. ${text}`;
}

function OperatorDoor({ onOpen }: { readonly onOpen: (client: Client) => void }) {
  useTitle('Operator');
  return (
    <main class="door">
      <DoorScore />
      <p class="wordmark">Parley</p>
      <DoorForm
        id="operator"
        title="Teams of this service"
        action="Show the teams"
        explain={faultOf}
        onSubmit={async ({ key = '' }) => {
          const candidate = new Client({ baseUrl: BASE_URL, apiKey: key.trim() });
          await candidate.call('listTeams', { query: { limit: 1 } });
          onOpen(candidate);
        }}
      >
        <DoorField
          name="key"
          label="Operator’s key"
          what="the key"
          type="password"
          autocomplete="off"
          help="ADMIN_KEY of the service. It is forgotten when you leave or reload this page."
        />
      </DoorForm>
      <div class="sign-in">
        <Button kind="quiet" onClick={() => navigate('/', { replace: true })}>
          Sign in to a team
        </Button>
      </div>
    </main>
  );
}
