import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What a process uses, by Linux's account of it. */
export interface ProcessFigures {
  readonly pid: number;
  readonly name: string;
  /** User and system time, that of its ended children included, ms. */
  readonly cpuMs: number;
  readonly rssMib: number;
  /** Like RSS, memory that several processes share divided among them. */
  readonly pssMib: number;
  readonly threads: number;
}

/** Of Linux's account. */
export const MS_A_TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK']));

/** This process, first, and all that have come of it; empty if this is not Linux. */
export function processIds(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? stat(Number(name))?.parent : undefined;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const found = [pid];
  for (const id of found)
    for (const [child, parent] of parents) if (parent === id) found.push(child);
  return found;
}

/** The same with what each uses. */
export const processTree = (pid: number): ProcessFigures[] =>
  processIds(pid).flatMap((id) => figuresOf(id) ?? []);

/** Sums over processes. */
export function totalOf(processes: readonly ProcessFigures[]) {
  const sum = (read: (one: ProcessFigures) => number) =>
    Math.round(processes.reduce((total, one) => total + read(one), 0));
  return {
    processes: processes.length,
    cpuMs: sum((one) => one.cpuMs),
    rssMib: sum((one) => one.rssMib),
    pssMib: sum((one) => one.pssMib),
  };
}

function stat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, which may hold anything, stands in brackets.
    const end = text.lastIndexOf(')');
    const fields = text.slice(end + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return {
      name: text.slice(text.indexOf('(') + 1, end),
      parent: Number(fields[1]),
      cpuMs: ticks * MS_A_TICK,
    };
  } catch {
    // It has ended.
    return undefined;
  }
}

function figuresOf(pid: number): ProcessFigures | undefined {
  const found = stat(pid);
  if (!found) return undefined;
  try {
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const mib = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(memory)?.[1]) / 1024;
    return {
      pid,
      name: found.name,
      cpuMs: found.cpuMs,
      rssMib: mib('Rss'),
      pssMib: mib('Pss'),
      threads: readdirSync(`/proc/${pid}/task`).length,
    };
  } catch {
    return undefined;
  }
}
