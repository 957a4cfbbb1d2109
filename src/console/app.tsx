import './console.css';
import { render } from 'preact';
import { Redirect, Route, Router, Switch } from 'wouter-preact';
import { useHashLocation } from 'wouter-preact/use-hash-location';
import { ApiKeys } from './pages/api-keys.tsx';
import { NotFound } from './pages/not-found.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { Talk } from './pages/talk.tsx';
import { client, resume } from './session.ts';
import { Shell } from './shell.tsx';
import './theme.ts';

/** Signed in: the pages; else the door. */
function App() {
  if (!client.value) return <SignIn />;
  return (
    <Router hook={useHashLocation}>
      <Shell>
        <Switch>
          <Route path="/">
            <Redirect to="/talk" replace />
          </Route>
          <Route path="/talk" component={Talk} />
          <Route path="/api-keys" component={ApiKeys} />
          <Route component={NotFound} />
        </Switch>
      </Shell>
    </Router>
  );
}

await resume();
render(<App />, document.getElementById('app') as HTMLElement);
document.body.dataset.started = 'true';
