import { type ResolveFnOutput, registerHooks } from 'node:module';

/**
 * Resolves imports with less work than Node does. To learn the format of each imported module, Node looks up its package
 * and parses the package's whole list of exports, anew each time: with drizzle-orm, whose list is long, that takes more
 * time than all other work of loading modules. Here imports of files are resolved by their paths alone, and those of
 * packages once for all files of this project.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    if (parentURL === undefined || !conditions.includes('import')) return next(specifier, context);
    const format = formatOf(specifier, parentURL);
    if (format) return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
    if (specifier.startsWith('.') || !parentURL.startsWith(SOURCES))
      return next(specifier, context);
    const known = packages.get(specifier);
    if (known) return { ...known, shortCircuit: true };
    const found = next(specifier, context);
    packages.set(specifier, found);
    return found;
  },
});

const SOURCES = new URL('../', import.meta.url).href;
/** Packages of many files, all of them ES modules. */
const MODULES_ONLY = /\/node_modules\/(?:drizzle-orm|pg-boss|zod)\//;
const packages = new Map<string, ResolveFnOutput>();

function formatOf(specifier: string, parentURL: string): string | undefined {
  if (!specifier.startsWith('./') && !specifier.startsWith('../')) return undefined;
  if (specifier.endsWith('.ts')) return 'module-typescript';
  const isKnown = parentURL.startsWith(SOURCES) || MODULES_ONLY.test(parentURL);
  return isKnown && specifier.endsWith('.js') ? 'module' : undefined;
}
