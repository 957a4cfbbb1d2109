import { registerHooks } from 'node:module';

/**
 * Resolves imports of one file by another by their paths alone. Node looks up the package of every imported module to
 * learn its format, and then parses the package's whole list of exports, anew for each: that of drizzle-orm takes more
 * time than all other work of loading its modules.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    const format = formatOf(specifier, parentURL);
    if (!format || !conditions.includes('import')) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
  },
});

function formatOf(specifier: string, parentURL = ''): string | undefined {
  if (!specifier.startsWith('./') && !specifier.startsWith('../')) return undefined;
  if (specifier.endsWith('.ts')) return 'module-typescript';
  const isDrizzle = parentURL.includes('/node_modules/drizzle-orm/');
  return isDrizzle && specifier.endsWith('.js') ? 'module' : undefined;
}
