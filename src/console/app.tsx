import './css/tokens.css';
import './css/base.css';
import './css/layout.css';
import './css/buttons.css';
import './css/fields.css';
import './css/data.css';
import './css/feedback.css';
import './css/overlays.css';
import './prompt-effects.ts';
import { render } from 'preact';
import { Route, Router, Switch } from 'wouter-preact';
import { NotFound } from './pages/not-found.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { pages } from './pages.ts';
import { usePath } from './router.ts';
import { client, resume } from './session.ts';
import { Shell } from './shell.tsx';
import './theme.ts';

/** The pages of whoever is signed in; the first whose pattern fits an address is shown there. */
const routes = [
  ['/', pages.overview],
  ['/assistants', pages.assistants],
  ['/assistants/new', pages.newAssistant],
  ['/assistants/:id', pages.assistant],
  ['/assistants/:id/versions', pages.assistantVersions],
  ['/calls', pages.calls],
  ['/calls/:id', pages.call],
  ['/live', pages.live],
  ['/talk', pages.talk],
  ['/knowledge-bases', pages.knowledgeBases],
  ['/knowledge-bases/:id', pages.knowledgeBase],
  ['/tools', pages.tools],
  ['/tools/new', pages.newTool],
  ['/tools/:id', pages.tool],
  ['/tests', pages.tests],
  ['/tests/new', pages.newTests],
  ['/tests/:id', pages.testSuite],
  ['/calendars', pages.calendars],
  ['/calendars/:id', pages.calendar],
  ['/wait-lists', pages.waitLists],
  ['/wait-lists/:id', pages.waitList],
  ['/numbers', pages.numbers],
  ['/numbers/:id', pages.number],
  ['/vendors', pages.vendors],
  ['/health', pages.health],
  ['/people', pages.people],
  ['/account', pages.account],
  ['/privacy', pages.privacy],
  ['/audit', pages.audit],
  ['/api-keys', pages.apiKeys],
  ['/public-keys', pages.publicKeys],
  // Where the provider sends those whom it could not bring in.
  ['/sign-in', pages.overview],
] as const;

/** Has the page's code on its way while the service is asked who is signed in. */
function preload([path]: ReturnType<typeof usePath>): void {
  const parts = path.split('/');
  const fits = (at: string) => {
    const wanted = at.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, n) => part.startsWith(':') || part === parts[n])
    );
  };
  routes.find(([at]) => fits(at))?.[1].preload();
}

/** Shows the pages when signed in, else the sign-in page. */
function App() {
  // Whoever has a link joins with it, whoever else is signed in here.
  const [path] = usePath();
  if (path === '/join') return <pages.join params={{}} />;
  // The operator is no member of a team.
  if (path === '/operator') return <pages.operator params={{}} />;
  if (!client.value) return <SignIn />;
  return (
    <Router hook={usePath}>
      <Shell>
        <Switch>
          {routes.map(([at, page]) => (
            <Route key={at} path={at} component={page} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Shell>
    </Router>
  );
}

preload(usePath());
await resume();
render(<App />, document.getElementById('app') as HTMLElement);
document.body.dataset.started = 'true';
