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
          <Route path="/" component={pages.overview} />
          <Route path="/assistants" component={pages.assistants} />
          <Route path="/assistants/new" component={pages.newAssistant} />
          <Route path="/assistants/:id" component={pages.assistant} />
          <Route path="/assistants/:id/versions" component={pages.assistantVersions} />
          <Route path="/calls" component={pages.calls} />
          <Route path="/calls/:id" component={pages.call} />
          <Route path="/live" component={pages.live} />
          <Route path="/talk" component={pages.talk} />
          <Route path="/knowledge-bases" component={pages.knowledgeBases} />
          <Route path="/knowledge-bases/:id" component={pages.knowledgeBase} />
          <Route path="/tools" component={pages.tools} />
          <Route path="/tools/new" component={pages.newTool} />
          <Route path="/tools/:id" component={pages.tool} />
          <Route path="/tests" component={pages.tests} />
          <Route path="/tests/new" component={pages.newTests} />
          <Route path="/tests/:id" component={pages.testSuite} />
          <Route path="/calendars" component={pages.calendars} />
          <Route path="/calendars/:id" component={pages.calendar} />
          <Route path="/wait-lists" component={pages.waitLists} />
          <Route path="/wait-lists/:id" component={pages.waitList} />
          <Route path="/numbers" component={pages.numbers} />
          <Route path="/numbers/:id" component={pages.number} />
          <Route path="/vendors" component={pages.vendors} />
          <Route path="/health" component={pages.health} />
          <Route path="/people" component={pages.people} />
          <Route path="/account" component={pages.account} />
          {/* Where the provider sends those whom it could not bring in. */}
          <Route path="/sign-in" component={pages.overview} />
          <Route path="/privacy" component={pages.privacy} />
          <Route path="/audit" component={pages.audit} />
          <Route path="/api-keys" component={pages.apiKeys} />
          <Route path="/public-keys" component={pages.publicKeys} />
          <Route component={NotFound} />
        </Switch>
      </Shell>
    </Router>
  );
}

await resume();
render(<App />, document.getElementById('app') as HTMLElement);
document.body.dataset.started = 'true';
