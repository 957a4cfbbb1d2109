import type { Operation } from './operation.ts';
import { accountOperations } from './operations/account.ts';
import { apiKeyOperations } from './operations/api-keys.ts';
import { assistantTestOperations } from './operations/assistant-tests.ts';
import { assistantOperations } from './operations/assistants.ts';
import { auditOperations, serviceAuditOperations } from './operations/audit.ts';
import { calendarOperations } from './operations/calendars.ts';
import { callOperations } from './operations/calls.ts';
import { deliveryOperations } from './operations/deliveries.ts';
import { doNotCallOperations } from './operations/do-not-call.ts';
import { fileOperations } from './operations/files.ts';
import { handsetOperations } from './operations/handsets.ts';
import { healthOperations } from './operations/health.ts';
import { knowledgeBaseOperations } from './operations/knowledge-bases.ts';
import { numberOperations } from './operations/numbers.ts';
import { peopleOperations } from './operations/people.ts';
import { privacyOperations } from './operations/privacy.ts';
import { publicCallOperations, publicKeyOperations } from './operations/public-keys.ts';
import { signInOperations } from './operations/sign-in.ts';
import { statisticsOperations } from './operations/statistics.ts';
import { teamOperations } from './operations/teams.ts';
import { toolOperations } from './operations/tools.ts';
import { vendorOperations } from './operations/vendors.ts';
import { waitListOperations } from './operations/wait-lists.ts';
import { whatIfOperations } from './operations/what-if.ts';
import type { VendorCatalogue } from './vendors.ts';

/** Every operation of the API, by resource. */
export function createContract(vendors: VendorCatalogue) {
  return {
    assistants: assistantOperations(vendors),
    tools: toolOperations,
    calendars: calendarOperations,
    waitLists: waitListOperations,
    assistantTests: assistantTestOperations,
    numbers: numberOperations,
    knowledgeBases: knowledgeBaseOperations,
    files: fileOperations,
    calls: callOperations(vendors),
    whatIf: whatIfOperations(vendors),
    handsets: handsetOperations,
    deliveries: deliveryOperations,
    vendors: vendorOperations,
    health: healthOperations,
    statistics: statisticsOperations,
    privacy: privacyOperations,
    doNotCall: doNotCallOperations,
    apiKeys: apiKeyOperations,
    publicKeys: publicKeyOperations,
    publicCalls: publicCallOperations,
    people: peopleOperations,
    signIn: signInOperations,
    account: accountOperations,
    audit: auditOperations,
    teams: teamOperations,
    serviceAudit: serviceAuditOperations,
  } as const;
}

export type Contract = ReturnType<typeof createContract>;

/** All operations in one list. */
export function operationsOf(contract: Contract): readonly Operation[] {
  return Object.values(contract).flatMap((resource) => Object.values(resource) as Operation[]);
}
