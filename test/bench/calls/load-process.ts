import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { OpenQuestions, stopProcess } from './child.ts';

const SOURCE = resolve(import.meta.dirname, '../load');
const COMPILER = process.env.CC ?? 'cc';
/** Further flags to try out, as `-g -fsanitize=address,undefined`. */
const MORE_FLAGS = process.env.LOAD_CFLAGS?.split(' ') ?? [];
const FLAGS = ['-std=c11', '-D_GNU_SOURCE', '-O2', '-Wall', '-Wextra', '-Werror', ...MORE_FLAGS];

/** Why callers and vendors cannot be played on this machine; undefined: they can. */
export function missingForLoad(): string | undefined {
  if (process.platform !== 'linux') return 'callers and vendors are played on Linux alone (epoll)';
  if (spawnSync(COMPILER, ['--version']).status === 0) return undefined;
  return `callers and vendors are written in C, and there is no compiler "${COMPILER}" (apt-get install gcc libc6-dev)`;
}

let compiled: Promise<{ readonly folder: string; readonly binary: string }> | undefined;

/** Compiled once for this process, in a folder that goes with it. */
export function compileLoad(): NonNullable<typeof compiled> {
  compiled ??= compile();
  return compiled;
}

async function compile() {
  const missing = missingForLoad();
  if (missing) throw new Error(missing);
  const folder = mkdtempSync(join(tmpdir(), 'parley-load-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const binary = join(folder, 'load');
  const sources = readdirSync(SOURCE).filter((name) => name.endsWith('.c'));
  const files = sources.map((name) => join(SOURCE, name));
  await promisify(execFile)(COMPILER, [...FLAGS, '-o', binary, ...files, '-lm']);
  return { folder, binary };
}

/** The callers or the vendors: one thread, asked in lines that it answers in lines of JSON. */
export class LoadProcess {
  readonly process: ChildProcess;
  readonly #questions = new OpenQuestions();

  private constructor(binary: string, args: readonly string[]) {
    const child = spawn(binary, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process = child;
    // Lost with the process, whose end is told below.
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) =>
      this.#questions.answer(JSON.parse(line)),
    );
    child.on('exit', (code, signal) =>
      this.#questions.fail(`the ${args[0]} ended with ${code ?? signal}`),
    );
  }

  static async start(...args: readonly string[]): Promise<LoadProcess> {
    const { binary } = await compileLoad();
    return new LoadProcess(binary, args);
  }

  ask(name: string, ...words: readonly (string | number)[]): Promise<unknown> {
    return this.#questions.ask((id) =>
      this.process.stdin?.write(`${[id, name, ...words].join(' ')}\n`),
    );
  }

  stop(): Promise<void> {
    return stopProcess(this.process);
  }
}
