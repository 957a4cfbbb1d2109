import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, 'badnet.py');

export interface Line {
  readonly name: string;
  /** One way. */
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly lossPercent: number;
  readonly reorder: boolean;
}

/** Why there can be no bad network on this machine, if there can't. */
export function whyNoNetwork(): string | undefined {
  if (process.getuid?.() !== 0) return 'it needs root';
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    const probe = `badnet-probe-${process.pid}`;
    execFileSync('ip', ['netns', 'add', probe], { stdio: 'ignore' });
    execFileSync('ip', ['netns', 'del', probe], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'it needs /dev/net/tun, network namespaces and python3';
  }
}

/** Two network namespaces with a bad line between them; disposing removes both. */
export async function startNetwork(line: Line) {
  const [a, b] = [`pa${process.pid}`, `pb${process.pid}`];
  const { delayMs, jitterMs, lossPercent, reorder } = line;
  const args = [SCRIPT, a, b, ...[delayMs, jitterMs, lossPercent].map(String)];
  const child = spawn('python3', reorder ? [...args, 'reorder'] : args, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  await new Promise<void>((ready, failed) => {
    child.once('exit', () => failed(new Error('the network could not be made')));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('ready')) ready();
    });
  });
  return {
    /** Prefix of a command that is to run at the service's end, with the address 10.99.0.1. */
    atService: ['ip', 'netns', 'exec', a],
    /** The same at the caller's end. */
    atCaller: ['ip', 'netns', 'exec', b],
    /** Ends it; what it carried. */
    async stop(): Promise<string> {
      child.stdin.end();
      await exited;
      return output.replace('ready\n', '').trim();
    },
  };
}
