import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/**
 * Which folders a folder may import besides itself, types included, lowest folders first. A folder's
 * `types` are folders that it knows by type alone: their code is handed to it.
 */
const MAY_IMPORT: Record<
  string,
  { readonly code: readonly string[]; readonly types?: readonly string[] }
> = {
  ports: { code: [], types: ['contract', 'audio'] },
  lib: { code: [], types: ['ports'] },
  contract: { code: [] },
  audio: { code: [] },
  engine: { code: ['contract', 'lib'], types: ['ports'] },
  simulation: { code: ['engine', 'contract', 'lib'], types: ['ports'] },
  config: { code: ['contract', 'lib'], types: ['ports'] },
  telemetry: { code: ['lib'], types: ['contract', 'ports'] },
  sounds: { code: ['audio', 'lib'], types: ['ports'] },
  providers: { code: ['audio', 'lib'], types: ['contract', 'ports'] },
  carriers: { code: ['audio', 'lib'], types: ['contract', 'ports'] },
  redaction: { code: ['contract', 'lib'], types: ['ports'] },
  session: { code: ['engine', 'audio', 'contract', 'lib'], types: ['ports'] },
  gateway: { code: ['audio', 'lib'], types: ['carriers', 'ports'] },
  storage: { code: ['lib'], types: ['ports'] },
  store: { code: ['contract', 'lib'], types: ['engine', 'ports'] },
  cluster: { code: ['store', 'lib'], types: ['contract', 'ports'] },
  jobs: { code: ['store', 'lib'], types: ['ports'] },
  events: { code: ['store', 'contract', 'lib'], types: ['ports'] },
  analysis: { code: ['lib'], types: ['contract', 'ports', 'store'] },
  knowledge: { code: ['store', 'contract', 'lib'], types: ['jobs', 'ports'] },
  tools: { code: ['store', 'contract', 'lib'], types: ['engine', 'ports'] },
  calls: {
    code: [
      'analysis',
      'audio',
      'contract',
      'engine',
      'events',
      'jobs',
      'knowledge',
      'lib',
      'redaction',
      'session',
      'simulation',
      'storage',
      'store',
      'telemetry',
      'tools',
    ],
    types: ['gateway', 'ports', 'providers'],
  },
  telephone: {
    code: ['calls', 'gateway', 'carriers', 'engine', 'store', 'contract', 'lib'],
    types: ['jobs', 'ports', 'session'],
  },
  testing: {
    code: [
      'analysis',
      'audio',
      'calls',
      'carriers',
      'contract',
      'engine',
      'events',
      'lib',
      'session',
      'simulation',
      'store',
      'telemetry',
      'tools',
    ],
    types: ['jobs', 'ports', 'providers'],
  },
  api: {
    code: ['calls', 'contract', 'knowledge', 'store', 'testing', 'tools', 'lib'],
    types: ['jobs', 'ports'],
  },
  service: {
    code: [
      'api',
      'calls',
      'carriers',
      'cluster',
      'config',
      'contract',
      'gateway',
      'jobs',
      'knowledge',
      'lib',
      'providers',
      'redaction',
      'session',
      'sounds',
      'storage',
      'store',
      'telemetry',
      'telephone',
      'testing',
    ],
    types: ['ports', 'tools'],
  },
  client: { code: ['contract'] },
  'web-client': { code: [] },
  widget: { code: ['web-client'] },
  cli: {
    code: [
      'client',
      'carriers',
      'contract',
      'engine',
      'audio',
      'config',
      'providers',
      'service',
      'simulation',
      'telemetry',
      'testing',
      'lib',
    ],
    types: ['gateway', 'ports'],
  },
  console: { code: ['client', 'web-client'], types: ['contract', 'engine'] },
  'main.ts': { code: ['config', 'lib', 'store', 'service'] },
};

const PURE = ['contract', 'engine', 'audio', 'simulation'];
const PURE_FILES = ['web-client/adaptive-playout.ts', 'web-client/held-audio.ts'];
const MAX_LINES = 300;
/** Tables of data, which nobody reads from top to bottom. */
const TABLES = ['providers/offline/stt/english-sound-rules.ts'];

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly lines: number;
  readonly code: string;
  readonly imports: readonly Import[];
}

const IMPORT = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;

function withoutCommentsAndStrings(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g,
    (match) => (match[0] === '/' ? ' ' : "''"),
  );
}

function readSources(): Source[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ts|tsx|mts)$/.test(name),
  );
  return files.map((name) => {
    const text = readFileSync(join(SRC, name), 'utf8');
    const path = name.split(sep).join('/');
    return {
      path,
      folder: path.includes('/') ? (path.split('/')[0] as string) : path,
      lines: text.split('\n').length - 1,
      code: withoutCommentsAndStrings(text),
      imports: [...text.matchAll(IMPORT)].map((match) => ({
        specifier: match[2] as string,
        typeOnly: match[1] !== undefined,
      })),
    };
  });
}

const sources = readSources();
const byPath = new Map(sources.map((source) => [source.path, source]));

function target(source: Source, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return relative(SRC, resolve(SRC, dirname(source.path), specifier))
    .split(sep)
    .join('/');
}

function targets(source: Source): string[] {
  return source.imports.flatMap((entry) => target(source, entry.specifier) ?? []);
}

/** Each way that leads back to where it began, as `a -> b -> a`. */
function circlesOf(arrows: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    if (state.get(node) === 'done') return;
    if (state.get(node) === 'open') {
      circles.push([...trail.slice(trail.indexOf(node)), node].join(' -> '));
      return;
    }
    state.set(node, 'open');
    for (const next of arrows.get(node) ?? []) visit(next, [...trail, node]);
    state.set(node, 'done');
  };
  for (const node of arrows.keys()) visit(node, []);
  return circles;
}

describe('architecture', () => {
  test('every folder is in the table', () => {
    const folders = new Set(sources.map((s) => s.folder));
    expect([...folders].filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
  });

  test('folders import only what the table allows, types included', () => {
    const faults = sources.flatMap((source) =>
      source.imports.flatMap((entry) => {
        const path = target(source, entry.specifier);
        const folder = path?.includes('/') ? (path.split('/')[0] as string) : path;
        if (path === undefined || folder === undefined || folder === source.folder) return [];
        const may = MAY_IMPORT[source.folder];
        const allowed = entry.typeOnly ? [...(may?.code ?? []), ...(may?.types ?? [])] : may?.code;
        return allowed?.includes(folder) ? [] : [`${source.path} -> ${path}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  test('no file imports itself through others, types included', () => {
    const arrows = new Map(sources.map((source) => [source.path, targets(source)]));
    expect(circlesOf(arrows)).toEqual([]);
  });

  test('no folder depends on itself through others, types included', () => {
    const arrows = new Map(
      Object.entries(MAY_IMPORT).map(([folder, { code, types = [] }]) => [
        folder,
        [...code, ...types],
      ]),
    );
    expect(circlesOf(arrows)).toEqual([]);
  });

  test('pure folders, and what they import, read no clock, chance or world', () => {
    const seen = new Set<string>();
    const queue = sources
      .filter(
        ({ folder, path }) =>
          PURE.includes(folder) || PURE_FILES.includes(path) || /(^|-|\/)protocol\.ts$/.test(path),
      )
      .map((s) => s.path);
    const faults: string[] = [];
    const forbidden =
      /\bDate\b|\b(?:setTimeout|setInterval|setImmediate|fetch|require)\s*\(|\bMath\.random\b|\bprocess\.|\bperformance\.|\bglobalThis\b|\bconsole\.|\bcrypto\b/;
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const source = byPath.get(path);
      if (!source || seen.has(path)) continue;
      seen.add(path);
      const lines = source.code.split('\n');
      // A method or an interface member of that name is not the global.
      const hit = lines.findIndex((line) =>
        forbidden.test(
          line
            .replace(/[.#]\s*(?:setTimeout|fetch)\s*\(/g, '')
            .replace(/^\s*(?:setTimeout)\(.*\).*[;{]$/, ''),
        ),
      );
      if (hit >= 0) faults.push(`${path}:${hit + 1} ${lines[hit]?.trim()}`);
      for (const entry of source.imports) {
        if (entry.typeOnly) continue;
        if (
          /^node:(?!buffer)/.test(entry.specifier) ||
          /^(pino|ws|postgres|undici|fastify)/.test(entry.specifier)
        ) {
          faults.push(`${path} imports ${entry.specifier}`);
        }
        const next = target(source, entry.specifier);
        if (next) queue.push(next);
      }
    }
    expect(faults).toEqual([]);
  });

  test('only config/config.ts reads the environment', () => {
    const readers = sources.filter((s) => /\bprocess\.env\b/.test(s.code)).map((s) => s.path);
    expect(readers.filter((path) => path !== 'config/config.ts')).toEqual([]);
  });

  test(`no file that people read is longer than ${MAX_LINES} lines`, () => {
    const written = sources.filter(
      ({ path }) => !path.endsWith('.generated.ts') && !TABLES.includes(path),
    );
    expect(written.filter((s) => s.lines > MAX_LINES).map((s) => `${s.path} ${s.lines}`)).toEqual(
      [],
    );
  });
});
