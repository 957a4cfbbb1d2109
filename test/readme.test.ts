import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { describeConfig } from '../src/config/config.ts';
import { systemClock } from '../src/lib/system-clock.ts';
import { createProviders } from '../src/providers/registry.ts';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

function configTable(): string {
  const rows = describeConfig().map(
    ({ name, fallback, help }) =>
      `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ''} | ${help} |`,
  );
  return ['| Name | Default | |', '|---|---|---|', ...rows].join('\n');
}

test('the configuration table is the one the service reads', () => {
  const table = readme.match(/<!-- config -->\n\n?([\s\S]*?)\n?\n?<!-- \/config -->/)?.[1];
  expect(table?.trim()).toBe(configTable());
});

test('every command it names exists', () => {
  const named = [...readme.matchAll(/npm (?:run )?([a-z][a-z:-]*)/g)]
    .map((match) => match[1] as string)
    .filter((name) => !['ci', 'run', 'install', 'installs'].includes(name));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every file and recording it points to is there', () => {
  const links = [...readme.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
    (match) => match[1] as string,
  );
  const recordings = [...readme.matchAll(/fixtures\/audio\/[\w-]+\.wav/g)].map(([path]) => path);
  for (const path of [...links, ...recordings])
    expect(() => readFileSync(resolve(root, path))).not.toThrow();
});

test('the vendors it lists are the vendors there are', async () => {
  const quiet = () => undefined;
  const providers = createProviders({
    vendors: {},
    allowPrivateTargets: false,
    clock: systemClock,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  const listed = (part: string) =>
    [
      ...(readme.match(new RegExp(`^\\| ${part} \\|.*$`, 'm'))?.[0] ?? '').matchAll(/`([^`]+)`/g),
    ].map((match) => match[1]);
  const { llm, stt, tts } = providers.catalogue;
  expect(listed('model')).toEqual(llm.names);
  expect(listed('recogniser')).toEqual(stt.names);
  expect(listed('voice')).toEqual(tts.names);
  await providers.close();
});
