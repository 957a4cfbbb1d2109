import type { Config } from '../config/config.ts';
import { createFairFetch } from '../lib/fair-fetch.ts';
import { createGuardedFetch, type OutboundFetch } from '../lib/guarded-fetch.ts';
import { SchemaChecker } from '../lib/schema-checker.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { createProviders, type Providers } from '../providers/registry.ts';
import { TextAnalyser } from '../redaction/text-analyser.ts';
import { SoundLibrary } from '../sounds/sound-library.ts';
import type { ToolServers } from '../tools/try-tool.ts';
import type { LiveCalls } from './live-calls.ts';

/** The servers that this process sends requests to: those of vendors and those that users name. */
export interface Outbound {
  readonly providers: Providers;
  /** For URLs given by users; private addresses only if the configuration allows them. */
  readonly fetch: OutboundFetch;
  readonly toolServers: ToolServers;
  readonly sounds: SoundLibrary;
  readonly textAnalyser: TextAnalyser;
  close(): Promise<void>;
}

interface OutboundDeps {
  readonly live: Pick<LiveCalls, 'threadUse' | 'metrics'>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createOutbound(config: Config, { live, clock, log }: OutboundDeps): Outbound {
  const { vendors, modelDirs, embeddings, allowPrivateTargets, toolResponseBytes } = config;
  const providers = createProviders({
    meter: live.metrics.vendors,
    onTurnJudged: (outcome) => live.metrics.turnJudged(outcome),
    threadUse: live.threadUse,
    vendors,
    modelDirs,
    embeddings,
    allowPrivateTargets,
    clock,
    log,
  });
  const guarded = createGuardedFetch({ allowPrivate: allowPrivateTargets, clock });
  const schemas = new SchemaChecker({ idle: live.threadUse.idleRuleOf('schemas') });
  const textAnalyser = new TextAnalyser();
  const sounds = new SoundLibrary({ fetch: guarded.fetch, clock, log });
  return {
    providers,
    fetch: guarded.fetch,
    toolServers: {
      clock,
      fetch: createFairFetch(guarded.fetch),
      maxResponseBytes: toolResponseBytes,
      schemas,
    },
    sounds,
    textAnalyser,
    async close() {
      schemas.close();
      textAnalyser.close();
      await providers.close();
      sounds.close();
      await guarded.close();
    },
  };
}
