import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROBE = resolve(import.meta.dirname, '../../abuse/loop-probe.ts');

/** How long a service's main thread computes without a pause. CPU time: what else the machine does is not in it. */
export class Stretches {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** For the service's environment. */
  get env() {
    return {
      LOOP_PROBE_FILE: this.#path,
      NODE_OPTIONS: `--import ${pathToFileURL(PROBE).href}`,
    };
  }

  /** The longest since this was last asked, ms; 0: none that was worth noting. */
  async longest(): Promise<number> {
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    await writeFile(this.#path, '');
    const lines = text.split('\n').filter((line) => line !== '');
    return Math.max(0, ...lines.map((line) => Number(line.split(' ')[1])));
  }
}
