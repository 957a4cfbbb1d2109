import type { AlertKind } from '../../contract/call-alerts.ts';
import {
  describeFailure,
  FAILURES,
  type FailingPart,
  type FailureCode,
  isFailedEnd,
} from '../../contract/failures.ts';
import {
  HEALTH_CODES,
  HEALTH_PARTS,
  type Health,
  type HealthCode,
  type HealthPart,
  type HealthProblem,
} from '../../contract/health.ts';
import type { CarrierName } from '../../ports/carrier.ts';
import type { ServiceFigures } from '../../ports/service-health.ts';
import type { HealthFacts } from './facts.ts';
import { many, SUMMARIES } from './summaries.ts';

const HOUR_MS = 3_600_000;
/** Jobs of one team wait for each other, so that some minutes are no fault. */
const LATE_JOB_SECONDS = 600;
/** Carriers that send calls to a public address of the service. */
const BY_WEBHOOK: readonly CarrierName[] = ['twilio', 'telnyx'];
const MOST = 200;

/** Every part's state and everything that is wrong, the worst first. */
export function assessHealth(facts: HealthFacts): Omit<Health, 'vendors'> {
  const problems = [
    ...vendorFaults(facts),
    ...callFaults(facts),
    ...alertFaults(facts),
    ...carrierFaults(facts),
    ...webhookFaults(facts),
    ...(facts.service ? serviceFaults(facts.service) : []),
    ...doorFaults(facts),
  ].toSorted((one, other) => rank(one) - rank(other) || other.count - one.count);
  return {
    checkedAt: new Date(facts.atMs).toISOString(),
    parts: HEALTH_PARTS.map((part) => ({
      part,
      status: statusOf(problems.filter((problem) => problem.part === part)),
      summary: SUMMARIES[part](facts),
    })),
    problems: problems.slice(0, MOST),
  };
}

const rank = ({ severity }: HealthProblem): number => (severity === 'error' ? 0 : 1);

function statusOf(problems: readonly HealthProblem[]): 'ok' | 'warning' | 'error' {
  if (problems.some(({ severity }) => severity === 'error')) return 'error';
  return problems.length > 0 ? 'warning' : 'ok';
}

type Details = Omit<HealthProblem, 'part' | 'code' | 'help'>;

const problem = (code: HealthCode, details: Details): HealthProblem => ({
  ...HEALTH_CODES[code],
  code,
  ...details,
});

/** What happened within the last hour counts as happening now. */
const severityAt = (at: Date, atMs: number): 'error' | 'warning' =>
  atMs - at.getTime() < HOUR_MS ? 'error' : 'warning';

/** What many assistants lack is one problem. */
function vendorFaults({ team, vendorProblems }: HealthFacts): HealthProblem[] {
  const byMessage = new Map<string, HealthProblem>();
  for (const { named, assistants, assistantId } of team.vendors) {
    // An assistant may name a vendor in more than one place.
    const seen = new Set<string>();
    for (const { vendor, code, message, blocks } of vendorProblems(named)) {
      const own = vendorCode(code, blocks);
      const key = `${own} ${message}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const known = byMessage.get(key);
      byMessage.set(
        key,
        problem(own, {
          severity: blocks ? 'error' : 'warning',
          message: `${message.replace(/\.$/, '')}.`,
          count: (known?.count ?? 0) + assistants,
          vendor,
          assistantId: known?.assistantId ?? assistantId,
        }),
      );
    }
  }
  return [...byMessage.values()];
}

function vendorCode(code: string, blocks: boolean): HealthCode {
  if (code === 'model_ending') return 'model-ending';
  return blocks ? 'vendor-not-usable' : 'vendor-fallback-not-usable';
}

const BY_FAILING_PART: Readonly<Record<FailingPart, HealthPart>> = {
  llm: 'vendors',
  stt: 'vendors',
  tts: 'vendors',
  tool: 'webhooks',
  transfer: 'carriers',
  playback: 'processes',
  call: 'processes',
};
const BY_CODE: Readonly<Partial<Record<FailureCode, HealthPart>>> = {
  'vendor-not-ready': 'vendors',
  'dialling-failed': 'carriers',
  failed: 'carriers',
  'never-connected': 'carriers',
  'no-media': 'carriers',
  'connection-lost': 'carriers',
};

const partOf = (code: FailureCode): HealthPart =>
  BY_CODE[code] ?? BY_FAILING_PART[FAILURES[code].part];

function callFaults({ team, atMs }: HealthFacts): HealthProblem[] {
  return team.failed.flatMap(({ endReason, failure, calls, callId, lastAt }) => {
    if (!isFailedEnd(endReason)) return [];
    const { message } = describeFailure(endReason, failure ?? undefined);
    return [
      {
        part: partOf(endReason),
        code: endReason,
        severity: severityAt(lastAt, atMs),
        message,
        help: FAILURES[endReason].help,
        count: calls,
        lastAt: lastAt.toISOString(),
        callId,
        ...(failure?.provider ? { vendor: failure.provider } : {}),
      },
    ];
  });
}

/** What a call's alert says has failed. Silences are a matter of the conversation. */
const ALERTED: Readonly<Partial<Record<AlertKind, FailureCode>>> = {
  'model-failed': 'model-error',
  'speech-failed': 'recogniser-error',
  'tool-failed': 'tool-error',
  'transfer-failed': 'transfer-failed',
};
const ALERT_SENTENCES: Readonly<Partial<Record<AlertKind, string>>> = {
  'speech-failed': 'Speech could not be transcribed or spoken for a while',
};

function alertFaults({ team }: HealthFacts): HealthProblem[] {
  return team.alerts.flatMap(({ alert, calls, callId, lastAt }) => {
    const code = ALERTED[alert];
    if (!code) return [];
    const { sentence, help } = FAILURES[code];
    return [
      {
        part: partOf(code),
        code,
        severity: 'warning' as const,
        message: `${ALERT_SENTENCES[alert] ?? sentence}.`,
        help,
        count: calls,
        lastAt: lastAt.toISOString(),
        callId,
      },
    ];
  });
}

function carrierFaults(facts: HealthFacts): HealthProblem[] {
  return facts.team.carriers.flatMap((use) => {
    const { provider, numbers, numberId } = use;
    const found: HealthProblem[] = [];
    if (use.withoutAccountId !== null && !facts.hasCarrierAccount(provider))
      found.push(
        problem('carrier-no-account', {
          severity: 'error',
          message: `${many(use.withoutAccount, 'number')} at ${provider} cannot be called or call: there are no credentials.`,
          count: use.withoutAccount,
          numberId: use.withoutAccountId,
        }),
      );
    if (BY_WEBHOOK.includes(provider) && !facts.hasPublicAddress)
      found.push(
        problem('carrier-no-address', {
          severity: 'error',
          message: `${provider} cannot reach the service, which has no public address: calls do not arrive.`,
          count: numbers,
          numberId,
        }),
      );
    if (use.withoutAssistantId !== null)
      found.push(
        problem('number-no-assistant', {
          severity: 'warning',
          message: `${many(use.withoutAssistant, 'number')} at ${provider} ${use.withoutAssistant === 1 ? 'has' : 'have'} no assistant: nobody answers.`,
          count: use.withoutAssistant,
          numberId: use.withoutAssistantId,
        }),
      );
    return found;
  });
}

function webhookFaults({ team, atMs }: HealthFacts): HealthProblem[] {
  return team.webhooks.map(({ origin, status, webhooks, callId, lastAt, httpStatus, error }) => {
    const answer = httpStatus === null ? (error ?? 'no answer') : `status ${httpStatus}`;
    const isLost = status === 'dead';
    const verb = webhooks === 1 ? 'was' : 'were';
    const fate = isLost ? `${verb} given up` : `${verb} not taken and will be sent again`;
    return problem(isLost ? 'webhook-lost' : 'webhook-retrying', {
      severity: isLost ? severityAt(lastAt, atMs) : 'error',
      message: `${many(webhooks, 'webhook')} to ${origin} ${fate}; the last answer: ${answer}.`,
      count: webhooks,
      lastAt: lastAt.toISOString(),
      callId,
    });
  });
}

function serviceFaults(service: ServiceFigures): HealthProblem[] {
  const found = service.jobs.flatMap(({ kind, failed, waiting, dueSeconds }) => [
    ...(failed > 0
      ? [
          problem('job-failed', {
            severity: 'warning',
            message: `${many(failed, 'job')} “${kind}” failed for good in the last day.`,
            count: failed,
          }),
        ]
      : []),
    ...(dueSeconds >= LATE_JOB_SECONDS
      ? [
          problem('job-late', {
            severity: 'warning',
            message: `${many(waiting, 'job')} “${kind}” waiting, the oldest for ${many(Math.floor(dueSeconds / 60), 'minute')}.`,
            count: waiting,
          }),
        ]
      : []),
  ]);
  const missing = service.wanted - service.own;
  if (service.silent > 0)
    found.push(
      problem('process-silent', {
        severity: 'error',
        message: `${many(service.silent, 'process', 'processes')} gave no sign within the time allowed.`,
        count: service.silent,
      }),
    );
  if (missing > 0)
    found.push(
      problem('process-missing', {
        severity: 'warning',
        message: `${service.own} of ${service.wanted} processes run.`,
        count: missing,
      }),
    );
  if (service.isDiskFull)
    found.push(
      problem('disk-full', {
        severity: 'error',
        message: 'The disk is full: recordings and files cannot be written.',
        count: 1,
      }),
    );
  if (service.unwrittenAudit > 0)
    found.push(
      problem('audit-unwritten', {
        severity: 'warning',
        message: `Entries of the audit log are not in the database yet: ${service.unwrittenAudit}.`,
        count: service.unwrittenAudit,
      }),
    );
  return found;
}

function doorFaults({ ready, hasRoom }: HealthFacts): HealthProblem[] {
  if (!ready) {
    const message = 'The service takes no new calls now: it is starting or stopping.';
    return [problem('not-ready', { severity: 'error', message, count: 1 })];
  }
  if (hasRoom) return [];
  const message = 'Every process has as many calls as it can hold: further calls are refused.';
  return [problem('no-room', { severity: 'error', message, count: 1 })];
}
