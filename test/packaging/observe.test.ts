import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { FAILED_ENDS } from '../../src/contract/failures.ts';
import { LoopRecorder } from '../../src/lib/loop-recorder.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const FOLDER = resolve(import.meta.dirname, '../../deploy/observe');
const read = (name: string) => readFileSync(resolve(FOLDER, name), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string; readonly description: string };
    }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly w: number };
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const rules = (parse(read('alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('dashboard.json')) as Dashboard;
const targets = panels.flatMap((panel) => panel.targets);
const expressions = [...rules, ...targets].map(({ expr }) => expr);

const metrics = createMetrics(() => 0, new LoopRecorder(() => 0));
afterAll(() => metrics.close());

/** The metrics of a service with all that a service has, and the labels that each may have. */
async function exposed(): Promise<ReadonlyMap<string, readonly string[]>> {
  const vendor = { kind: 'llm', vendor: 'openai' } as const;
  metrics.watchStorage({ freeBytes: async () => 1, isFull: async () => false });
  metrics.watchAudit(() => 0);
  metrics.watchRelays(() => 0);
  metrics.watchJobs(async () => [{ kind: 'a', waiting: 0, active: 0, failed: 0 }]);
  metrics.vendors.latency(vendor, 100);
  metrics.vendors.finished(vendor, 'ok', { inputTokens: 1 });
  metrics.callEnded('user-hangup');
  metrics.turnJudged('done');
  metrics.turn(500);
  const { body } = await metrics.expose();
  const samples = body.matchAll(/^(\w+)(?:\{([^}]*)\})? /gm);
  return new Map(
    [...samples].map(([, name = '', labels = '']) => [
      name,
      [...labels.matchAll(/(\w+)="/g)].map((match) => match[1] as string),
    ]),
  );
}

const NAME = /\b((?:parley|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;
/** What Prometheus adds to what it scrapes. */
const OF_PROMETHEUS = ['instance', 'job'];

test('rules and panels use only metrics and labels that the service exposes', async () => {
  const known = await exposed();
  const used = new Set<string>();
  for (const expr of expressions)
    for (const [, name = '', selector = ''] of expr.matchAll(NAME)) {
      used.add(name);
      expect([...known.keys()], expr).toContain(name);
      const labels = [...selector.matchAll(/(\w+)(?:=|!)/g)].map((match) => match[1] as string);
      for (const label of labels)
        expect([...(known.get(name) ?? []), ...OF_PROMETHEUS], expr).toContain(label);
    }
  const own = [...known.keys()].filter((name) => /^parley_/.test(name));
  const unused = own.filter((name) => !used.has(name) && !/_(?:sum|count)$/.test(name));
  expect(unused).toEqual([]);
});

test('the reasons that a rule names are reasons for which calls end', () => {
  const named = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/reason=~"([^"]+)"/g)].flatMap((match) => (match[1] as string).split('|')),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((reason) => !(FAILED_ENDS as readonly string[]).includes(reason))).toEqual(
    [],
  );
});

test('each rule has a name, a severity and a sentence; each panel a place and a title', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    expect(annotations.description).toMatch(/\.$/);
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
});

test('the page of the docs has every rule with its severity', () => {
  const page = readFileSync(resolve(FOLDER, '../../docs/observe.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(Parley\w+)` \|.*\| (\w+) \|$/gm)];
  expect(rows.map(([, alert, severity]) => [alert, severity])).toEqual(
    rules.map(({ alert, labels }) => [alert, labels.severity]),
  );
});

test('the panels to which rules send people are there', () => {
  const named = rules.flatMap(({ annotations }) =>
    [...annotations.description.matchAll(/panel "([^"]+)"/g)].map((match) => match[1] as string),
  );
  expect(named.length).toBeGreaterThan(0);
  for (const title of named) expect(panels.map((panel) => panel.title)).toContain(title);
});

const promtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test('promtool finds no fault in the rules and the expressions of the panels', ({ skip }) => {
  if (!promtool) skip('promtool comes with Prometheus, which this machine has not');
  const check = (...args: readonly string[]) =>
    execFileSync('promtool', ['check', ...args], { encoding: 'utf8', stdio: 'pipe', cwd: FOLDER });
  expect(check('rules', 'alerts.yml')).toContain(`SUCCESS: ${rules.length} rules found`);
  expect(check('config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS');
  const folder = mkdtempSync(join(tmpdir(), 'parley-promtool-'));
  try {
    // As rules, since promtool checks no dashboards; Grafana puts the range of time and its variables in.
    const recorded = targets.map(({ expr }, at) => ({ record: `panel:${at}`, expr }));
    const path = join(folder, 'panels.yml');
    writeFileSync(path, stringify({ groups: [{ name: 'panels', rules: recorded }] }));
    expect(check('rules', path)).toContain(`SUCCESS: ${targets.length} rules found`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
