/** True in the npm package, whose code is built JavaScript; false in a clone. */
export const isBuilt = import.meta.url.endsWith('.js');

/** What a user types to run a command, before its arguments: `parley call` or `npm run call --`. */
export function commandLine(name: string): string {
  if (isBuilt) return name === 'start' ? 'parley' : `parley ${name}`;
  return name === 'start' ? 'npm start --' : `npm run ${name} --`;
}
