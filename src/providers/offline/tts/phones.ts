/** One phone as printed by flite (`-psdur`). */
export interface Phone {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

export const PAUSE = 'pau';

/** Parses `name:endSeconds` pairs; several utterances, one per line, follow each other in time. */
export function parseTimedPhones(printed: string): Phone[] {
  const phones: Phone[] = [];
  let utteranceMs = 0;
  for (const line of printed.split('\n')) {
    let startMs = utteranceMs;
    for (const [, name, end] of line.matchAll(/(?<!\S)(\S+?):(\d+\.\d+)/g)) {
      const endMs = utteranceMs + Number(end) * 1000;
      phones.push({ name: name as string, startMs, endMs });
      startMs = endMs;
    }
    utteranceMs = startMs;
  }
  return phones;
}

/** Splits phones printed without times (`-ps`) at their pauses. */
export function parsePhoneGroups(printed: string): string[][] {
  const groups: string[][] = [];
  let group: string[] = [];
  for (const name of printed.split(/\s+/)) {
    if (name === PAUSE) {
      if (group.length > 0) groups.push(group);
      group = [];
    } else if (name !== '') {
      group.push(name);
    }
  }
  return groups;
}
