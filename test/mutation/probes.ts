import type { Mutant } from './mutants.ts';

/** Has the code note in a global set which places of `mutants`, by their index, are reached. */
export function insertProbes(code: string, file: string, mutants: readonly Mutant[]): string {
  const insertions = mutants.flatMap(({ file: own, probe }, i) => {
    if (own !== file || !probe) return [];
    const note = `globalThis.reachedPlaces?.add(${i})`;
    if (probe.end === undefined) return [{ at: probe.start, text: `${note};` }];
    return [
      { at: probe.start, text: `(${note}, ` },
      { at: probe.end, text: ')' },
    ];
  });
  return insertions
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), code);
}
