import type { Operation } from './operation.ts';
import { apiKeyOperations } from './operations/api-keys.ts';
import { assistantOperations } from './operations/assistants.ts';
import { calendarOperations } from './operations/calendars.ts';
import { callOperations } from './operations/calls.ts';
import { deliveryOperations } from './operations/deliveries.ts';
import { fileOperations } from './operations/files.ts';
import { handsetOperations } from './operations/handsets.ts';
import { knowledgeBaseOperations } from './operations/knowledge-bases.ts';
import { numberOperations } from './operations/numbers.ts';
import { statisticsOperations } from './operations/statistics.ts';
import { teamOperations } from './operations/teams.ts';
import { toolOperations } from './operations/tools.ts';
import { waitListOperations } from './operations/wait-lists.ts';
import type { VendorCatalogue } from './vendors.ts';

/** Every operation of the API, by resource. */
export function createContract(vendors: VendorCatalogue) {
  return {
    assistants: assistantOperations(vendors),
    tools: toolOperations,
    calendars: calendarOperations,
    waitLists: waitListOperations,
    numbers: numberOperations,
    knowledgeBases: knowledgeBaseOperations,
    files: fileOperations,
    calls: callOperations(vendors),
    handsets: handsetOperations,
    deliveries: deliveryOperations,
    statistics: statisticsOperations,
    apiKeys: apiKeyOperations,
    teams: teamOperations,
  } as const;
}

export type Contract = ReturnType<typeof createContract>;

/** All operations in one list. */
export function operationsOf(contract: Contract): readonly Operation[] {
  return Object.values(contract).flatMap((resource) => Object.values(resource) as Operation[]);
}
