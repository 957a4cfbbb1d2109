import { HEALTH_HOURS, type HealthPart } from '../../contract/health.ts';
import type { HealthFacts } from './facts.ts';

/** `3 calls`. */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;

const GIGABYTE = 1024 ** 3;

/** What there is of each part, in a sentence. */
export const SUMMARIES: Readonly<Record<HealthPart, (facts: HealthFacts) => string>> = {
  vendors({ team }) {
    const assistants = team.vendors.reduce((sum, use) => sum + use.assistants, 0);
    if (assistants === 0) return 'There is no assistant yet.';
    return `${many(assistants, 'assistant')}, ${many(team.calls, 'call')} in the last ${HEALTH_HOURS} hours.`;
  },
  carriers({ team }) {
    if (team.carriers.length === 0) return 'There is no number yet.';
    return `${team.carriers.map(({ provider, numbers }) => `${many(numbers, 'number')} at ${provider}`).join(', ')}.`;
  },
  webhooks: ({ team }) =>
    team.waitingWebhooks === 0
      ? 'No webhook waits to be sent.'
      : `${many(team.waitingWebhooks, 'webhook')} wait${team.waitingWebhooks === 1 ? 's' : ''} to be sent.`,
  jobs({ service }) {
    if (!service) return 'Nothing is known of jobs here.';
    const sum = (of: 'waiting' | 'active') => service.jobs.reduce((all, job) => all + job[of], 0);
    return `${many(sum('active'), 'job')} running, ${sum('waiting')} waiting.`;
  },
  processes({ service }) {
    if (!service) return 'Nothing is known of processes here.';
    const { processes, freeBytes } = service;
    const free =
      freeBytes === undefined ? '' : `, ${(freeBytes / GIGABYTE).toFixed(1)} GB of disk free`;
    return `${many(processes, 'process', 'processes')}${free}.`;
  },
};
